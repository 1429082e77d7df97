"""All that a person sees: progress, messages, summaries; and data on standard output."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, ParamSpec

import orjson
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from neardup.errors import InputError, NeardupError, OutputError, UsageError
from neardup.types import ProgressCallback

P = ParamSpec("P")

#: Exit codes: 0 done, 2 wrong use, 3 bad input, 4 output can't be written.
_CODES: tuple[tuple[type[NeardupError], int], ...] = (
    (UsageError, 2),
    (InputError, 3),
    (OutputError, 4),
)
_INTERNAL, _INTERRUPTED, _TERMINATED, _CLOSED_PIPE = 1, 130, 143, 141

_PHASES = {"read": "reading", "match": "matching", "write": "writing"}


def error_console() -> Console:
    """Standard error; plain text when it is no terminal."""
    return Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def handled(command: Callable[P, None]) -> Callable[P, None]:
    """Turns whatever stops a command into one clear message and the right exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        signal.signal(signal.SIGTERM, _terminate)
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except NeardupError as error:
            fail(str(error), next(code for kind, code in _CODES if isinstance(error, kind)))
        except KeyboardInterrupt:
            fail("interrupted", _INTERRUPTED)
        except BrokenPipeError:
            # Whoever read our output has enough. Keep Python's own flush at exit from failing.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(_CLOSED_PIPE) from None
        except MemoryError:
            fail("out of memory", _INTERNAL)
        except Exception as error:
            if os.environ.get("NEARDUP_DEBUG"):
                raise
            fail(
                f"internal error: {type(error).__name__}: {error}; this is a fault of neardup, "
                "please report it (NEARDUP_DEBUG=1 shows where)",
                _INTERNAL,
            )

    return run


def _terminate(*_: object) -> NoReturn:
    raise SystemExit(_TERMINATED)


def fail(message: str, code: int) -> NoReturn:
    """Prints an error and leaves with the code."""
    error_console().print(f"[bold red]error:[/] {escape(message)}")
    raise typer.Exit(code)


def warn(message: str) -> None:
    """Prints a warning."""
    error_console().print(f"[bold yellow]warning:[/] {escape(message)}")


def say(message: str) -> None:
    """Prints a line for people."""
    error_console().print(message)


def print_json(value: dict[str, Any]) -> None:
    """Prints an object as one line of UTF-8 on standard output, whatever the locale."""
    sys.stdout.buffer.write(orjson.dumps(value, default=str, option=orjson.OPT_APPEND_NEWLINE))


@contextmanager
def progress_bars() -> Iterator[ProgressCallback | None]:
    """Bars on standard error for each phase; None when that is no terminal."""
    console = error_console()
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description:>9}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=True) as bars:

        def report(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bars.add_task(_PHASES[phase], total=total)
            bars.update(tasks[phase], completed=done, total=max(total, 1))

        yield report


def show_summary(summary: dict[str, Any], written: list[tuple[str, str]]) -> None:
    """What a run did, for people."""
    documents, removed = summary["documents"], summary["removed"]
    share = f" ({removed / documents:.1%})" if documents else ""
    say(
        f"[bold]{documents:,}[/] documents: [bold green]{summary['kept']:,} kept[/], "
        f"[bold red]{removed:,} removed[/]{share}"
    )
    rows = [
        (summary["removed_exact"], "with the same normalised text as the kept document"),
        (summary["removed_near"], f"within {summary['distance']} of {summary['bits']} bits of it"),
        (summary["clusters"], f"clusters, the largest of {summary['largest_cluster']:,}"),
        (summary["pairs"], "pairs within the distance"),
        (summary["low_information"], "low-information documents, compared by equal text only"),
        (summary["null_texts"], "with null as text, kept"),
        (summary["bad_rows"], "bad rows, left out"),
    ]
    width = max(len(f"{count:,}") for count, _ in rows) + 2
    for count, meaning in rows[: 4 if documents else 0] + [row for row in rows[4:] if row[0]]:
        say(f"{count:>{width},} {meaning}")
    for meaning, path in written:
        say(f"{'':>{width}} {meaning}: {escape(path)}")
    say(f"{'':>{width}} {summary['seconds']:.2f} s, profile {summary['profile_id']}")
    for warning in summary["warnings"]:
        warn(warning)
