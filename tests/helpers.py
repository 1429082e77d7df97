"""What tests share: the program as its users run it, and small files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(*arguments, input=None, env=None, cwd=None, code=0) -> subprocess.CompletedProcess[bytes]:
    """Runs `neardup` in a process of its own; the exit code must be `code`, without traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "neardup", *map(str, arguments)],
        input=input,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=100,
        check=False,
    )
    assert done.returncode == code, (done.returncode, done.stderr.decode())
    assert b"Traceback" not in done.stderr
    return done


def write_jsonl(path: Path, rows) -> Path:
    """Writes rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def read_jsonl(path: Path):
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
