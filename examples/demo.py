"""Deduplicates the poems of this folder, and shows three of the removed ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel

HERE = Path(__file__).parent
OUT = HERE.parent / "demo-output"


def main() -> None:
    """Runs the command that a user would type, then looks at its outputs."""
    OUT.mkdir(exist_ok=True)
    poems, kept, removed = HERE / "poems.jsonl", OUT / "kept.jsonl", OUT / "removed.jsonl"
    command = ["dedup", str(poems), "-o", str(kept), "--removed", str(removed)]
    done = subprocess.run(
        [sys.executable, "-m", "neardup", *command], capture_output=True, check=False
    )
    if done.returncode == 0:
        _show(poems, removed)
    print(f"\n$ neardup {' '.join(command)}".replace(f"{HERE.parent}/", ""), flush=True)
    sys.stderr.buffer.write(done.stderr.replace(f"{HERE.parent}/".encode(), b""))
    sys.exit(done.returncode)


def _show(poems: Path, removed: Path) -> None:
    texts = {row["id"]: row for row in _rows(poems)}
    near = [row for row in _rows(removed) if row["_neardup"]["relation"] == "near"]
    console = Console(width=100)
    for row in sorted(near, key=lambda row: -row["_neardup"]["distance"])[:3]:
        reason = row["_neardup"]
        console.print(
            Columns(
                [
                    _panel(f"removed: {row['id']}", row),
                    _panel(f"kept: {reason['kept_id']}", texts[reason["kept_id"]]),
                ]
            )
        )
        console.print(f"{reason['distance']} of 64 bits differ\n")


def _panel(title: str, row: dict[str, str]) -> Panel:
    return Panel(f"{row['title']} {row['author']}\n{row['text'][:160]}", title=title, width=49)


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


if __name__ == "__main__":
    main()
