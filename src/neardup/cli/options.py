"""The options that commands share: their names, help and sources, and what is made of them."""

from __future__ import annotations

import difflib
import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from neardup.errors import InputError, ProfileError, UsageError
from neardup.profile import NORMALIZE_STEPS, Profile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Format(str, Enum):
    """`--format`."""

    auto = "auto"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"
    text = "text"
    files = "files"


class LinkageName(str, Enum):
    """`--linkage`."""

    star = "star"
    single = "single"


class OnErrorName(str, Enum):
    """`--on-error`."""

    stop = "stop"
    skip = "skip"


#: Options that say how texts become fingerprints.
RECIPE = ("features", "weights", "bits", "normalize", "dictionary")
#: Options that name outputs: a run record doesn't carry them into the next run.
OUTPUTS = ("output", "removed", "clusters", "pairs", "run", "bad", "json_output")

#: Names on the command line where they differ from the parameter's.
_LONG = {"json_output": "json"}


def read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Makes a configuration file's values the defaults of this command.

    The file is TOML with option names as keys, or the run record of an earlier run.
    """
    if path is None or context.resilient_parsing:
        return path
    values, record = _config_values(path)
    known = {str(parameter.name): parameter for parameter in context.command.params}
    names = {_LONG.get(name, name).replace("_", "-"): name for name in known}
    defaults: dict[str, Any] = {}
    for key, value in values.items():
        name = names.get(key.replace("_", "-"))
        if name is None or name in ("config", "inputs"):
            near = difflib.get_close_matches(key, list(names), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise typer.BadParameter(f"{path}: unknown option {key!r}{hint}")
        defaults[name] = value
    context.default_map = defaults
    context.obj = record
    return path


def _config_values(path: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
    try:
        content = path.read_bytes()
        if content.lstrip().startswith(b"{"):
            record = json.loads(content)
            if "neardup_run" not in record:
                raise typer.BadParameter(f"{path}: JSON, but not the record of a run")
            options: dict[str, dict[str, Any]] = record["options"]
            values = {
                name: option["value"]
                for name, option in options.items()
                if name not in OUTPUTS and name != "inputs" and option["value"] is not None
            }
            return values, record
        return tomllib.loads(content.decode()), None
    except OSError as error:
        raise typer.BadParameter(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise typer.BadParameter(f"{path}: not a configuration file: {error}") from error


def recorded(context: typer.Context) -> dict[str, dict[str, Any]]:
    """Every option's value and where it came from, for the run record."""
    sources = {
        "COMMANDLINE": "command line",
        "ENVIRONMENT": "environment",
        "DEFAULT_MAP": "config",
    }
    options = {}
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in ("help", "config"):
            continue
        source = context.get_parameter_source(name)
        value = context.params.get(name)
        options[name] = {
            "value": _plain(value),
            "source": sources.get(source.name if source else "", "default"),
        }
    return options


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def make_profile(
    features: str,
    weights: str,
    bits: int,
    normalize: str | None = None,
    dictionary: Path | None = None,
) -> Profile:
    """The profile that the options say; tables are read from their files."""
    rule, colon, table = weights.partition(":")
    if colon and (rule != "levels" or not table):
        raise UsageError(f"weights: expected a rule or levels:FILE, found {weights!r}")
    steps = None
    if normalize is not None:
        steps = [] if normalize == "none" else [step.strip() for step in normalize.split(",")]
        unknown = [step for step in steps if step not in NORMALIZE_STEPS]
        if unknown:
            raise ProfileError(
                f"normalize: unknown step {unknown[0]!r}; the steps are "
                f"{', '.join(NORMALIZE_STEPS)}, or none"
            )
    return Profile(
        features,
        rule,
        bits,
        normalize=steps,
        dictionary=None if dictionary is None else _read_words(dictionary),
        levels=_read_levels(Path(table)) if table else None,
    )


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from error


def _read_words(path: Path) -> list[str]:
    """A word a line; what follows the first blank (a frequency, in jieba's files) is ignored."""
    return [line.split()[0] for line in _read_lines(path) if line.strip()]


def _read_levels(path: Path) -> dict[str, int]:
    """A word and its level a line, separated by a tab or blanks."""
    levels: dict[str, int] = {}
    for number, line in enumerate(_read_lines(path), 1):
        if not line.strip():
            continue
        word, _, level = line.strip().replace("\t", " ").rpartition(" ")
        if not word or level not in ("1", "2", "3", "4", "5"):
            raise InputError(
                f"{path}:{number}: expected a word and a level from 1 to 5, found {line!r}"
            )
        levels[word.strip()] = int(level)
    return levels


def check_record(context: typer.Context, profile: Profile) -> None:
    """With a run record as configuration: refuses tables that have changed since.

    Raises:
        ProfileError: If the same options make another profile now.
    """
    record = context.obj
    if not isinstance(record, dict) or "profile_id" not in record:
        return
    sources = [context.get_parameter_source(name) for name in RECIPE]
    changed = any(source and source.name in ("COMMANDLINE", "ENVIRONMENT") for source in sources)
    if not changed and profile.id != record["profile_id"]:
        raise ProfileError(
            f"the record is of profile {record['profile_id']}, but its options now make "
            f"{profile.id}: a dictionary or level table has changed"
        )


Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Options from a TOML file, or from the record (--run) of an earlier run.",
        callback=read_config,
        is_eager=True,
        envvar="NEARDUP_CONFIG",
        show_envvar=False,
    ),
]
Features = Annotated[
    str,
    typer.Option(
        metavar="words|chars:N|tokens:N",
        help="What a text is cut into.",
        envvar="NEARDUP_FEATURES",
        show_envvar=False,
        rich_help_panel="Fingerprints",
    ),
]
Weights = Annotated[
    str,
    typer.Option(
        metavar="count|binary|sqrt|log|levels[:FILE]",
        help="What a feature weighs; FILE has a word and its level (1-5) a line.",
        envvar="NEARDUP_WEIGHTS",
        show_envvar=False,
        rich_help_panel="Fingerprints",
    ),
]
Bits = Annotated[
    int,
    typer.Option(
        min=1,
        max=256,
        help="Width of the fingerprints.",
        envvar="NEARDUP_BITS",
        show_envvar=False,
        rich_help_panel="Fingerprints",
    ),
]
Normalize = Annotated[
    str | None,
    typer.Option(
        metavar="STEP,…|none",
        help=f"Steps out of {', '.join(NORMALIZE_STEPS)}.  "
        "[default: ignorable,nfkc,casefold,whitespace]",
        envvar="NEARDUP_NORMALIZE",
        show_envvar=False,
        rich_help_panel="Fingerprints",
    ),
]
Dictionary = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Words of your own, one a line, beside the built-in dictionary.",
        envvar="NEARDUP_DICTIONARY",
        show_envvar=False,
        rich_help_panel="Fingerprints",
    ),
]
Distance = Annotated[
    int,
    typer.Option(
        "--distance",
        "-k",
        min=0,
        help="Differing bits up to which two fingerprints are a pair.",
        envvar="NEARDUP_DISTANCE",
        show_envvar=False,
    ),
]
InputPaths = Annotated[
    list[str],
    typer.Argument(metavar="INPUT...", help="Files, folders, globs, or - for standard input."),
]
InputFormat = Annotated[
    Format,
    typer.Option(
        "--format",
        help="text: a document a line; files: a document a file. auto: by suffix.",
        envvar="NEARDUP_FORMAT",
        show_envvar=False,
        rich_help_panel="Input",
    ),
]
TextFields = Annotated[
    list[str],
    typer.Option(
        "--text",
        metavar="FIELD",
        help="The field with the text; several are joined.",
        envvar="NEARDUP_TEXT",
        show_envvar=False,
        rich_help_panel="Input",
    ),
]
IdField = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="FIELD",
        help="The field with the id. (default: id where a row has it, else FILE:LINE)",
        envvar="NEARDUP_ID",
        show_envvar=False,
        rich_help_panel="Input",
    ),
]
EncodingName = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of text files, as gb18030. (default: UTF-8, or what is detected)",
        envvar="NEARDUP_ENCODING",
        show_envvar=False,
        rich_help_panel="Input",
    ),
]
OnErrorOption = Annotated[
    OnErrorName,
    typer.Option(
        "--on-error",
        help="What to do at a row that is no document.",
        envvar="NEARDUP_ON_ERROR",
        show_envvar=False,
        rich_help_panel="Input",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        help="Number of threads. (default: all cores)",
        envvar="NEARDUP_THREADS",
        show_envvar=False,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object on standard output."),
]
