"""What the documentation shows is run, and says the same in both languages."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import EXAMPLES, run

import neardup

ROOT = Path(__file__).parents[1]
README, CHINESE = (ROOT / name for name in ("README.md", "README.zh-CN.md"))


def blocks(page: Path, language: str) -> list[str]:
    """The code of a page."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with the files that the commands name."""
    for name in ("poems.jsonl", "licences.jsonl"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "broken.jsonl").write_text('{"text":"a"}\n{"text":\n')
    (tmp_path / "pages").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / "pages" / name).write_text("<p>the same page</p>")
    return tmp_path


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
@pytest.mark.parametrize("number", range(9))
def test_commands_of_the_readme(folder, number) -> None:
    """Each of the nine blocks ends with 0, on the files of the examples."""
    shown = blocks(README, "sh")
    assert len(shown) == 9
    if number == 4:  # a glob over all of them
        (folder / "broken.jsonl").unlink()
    program = folder / "bin" / "neardup"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m neardup "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", "-ec", shown[number]],
        cwd=folder,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr.decode()


def test_python_of_the_readme() -> None:
    """The session gives just what is shown."""
    for page in (README, CHINESE):
        (session,) = blocks(page, "python")
        test = doctest.DocTestParser().get_doctest(session, {}, page.name, page.name, 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_both_languages_show_the_same_code() -> None:
    """Command for command."""
    for language in ("sh", "python"):
        assert blocks(README, language) == blocks(CHINESE, language)


def test_links_lead_somewhere() -> None:
    """Of every page of the project."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *EXAMPLES.glob("*.md")]
    assert len(pages) > 8
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_every_option_is_explained() -> None:
    """In the help of its command."""
    for command in ("dedup", "fingerprint", "compare", "explain", "pairs", "clusters"):
        shown = run(command, "--help", env={"COLUMNS": "200"}).stdout.decode()
        for line in shown.splitlines():
            if re.match(r"│ +(\*  +)?--", line):
                assert len(line.strip("│ ").split()) > 3, line


def test_every_error_is_in_the_tree() -> None:
    """The tree that heads the module names all of them."""
    named = [name for name in neardup.__all__ if name.endswith("Error")]
    assert all(name in (neardup.errors.__doc__ or "") for name in named)
