"""The commands, and the program."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from neardup.cli.cmd_compare import compare
from neardup.cli.cmd_dedup import dedup
from neardup.cli.cmd_explain import explain
from neardup.cli.cmd_fingerprint import fingerprint
from neardup.cli.cmd_pairs import clusters, pairs

app = typer.Typer(
    name="neardup",
    help="Find and remove near-duplicate texts, in any language.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 2 wrong use, 3 bad input, 4 output can't be written.",
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"neardup {version('neardup')}")  # noqa: T201 (what was asked for)
        raise typer.Exit


@app.callback()
def program(
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find and remove near-duplicate texts, in any language."""


for command in (dedup, fingerprint, compare, explain, pairs, clusters):
    # Examples in the docstrings keep their line ends: rich joins lines unless a \b says not to.
    app.command()(command)


def main() -> None:
    """The program `neardup`."""
    if sys.getfilesystemencoding() != "utf-8" and os.name == "posix":
        # Under an ASCII locale names of files could not even be written: begin anew in UTF-8 mode.
        words = [sys.executable, "-X", "utf8", "-m", "neardup", *sys.argv[1:]]
        os.execv(sys.executable, words)  # noqa: S606 (this very program)
    # Streams are UTF-8 whatever the locale: a rare character must not end a run.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app(prog_name="neardup")
    except KeyboardInterrupt:
        sys.exit(130)
