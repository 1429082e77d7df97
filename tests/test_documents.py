"""Readers and writers: what is read, what goes out, and what is refused."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers import write_jsonl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neardup.documents import AtomicFile, Fields, TableWriter, open_inputs
from neardup.errors import BadRowError, InputError, OutputError, UsageError


def read(*paths, format="auto", encoding=None, on_error="stop", **fields):
    """Texts and ids of all documents."""
    with open_inputs(paths, format, encoding) as inputs:
        batches = list(inputs.documents(Fields(**fields), on_error))
        rows = sum(len(part) for part in inputs.rows())
    texts = [text for batch in batches for text in batch.texts]
    assert rows == len(texts)
    return texts, [json.loads(text) for batch in batches for text in batch.ids]


def copied(path, target, keep=lambda index: True):
    """The kept output of a file, as bytes."""
    with open_inputs([path]) as inputs:
        count = sum(len(batch.texts) for batch in inputs.documents(Fields(), "skip"))
        file = inputs.writer(str(target))
        index = 0
        for rows in inputs.rows():
            file.write(rows.kept([keep(index + place) for place in range(len(rows))]))
            index += len(rows)
        assert index == count
        file.finish()
        file.commit()
    return target.read_bytes()


JSON_LINES = [
    b'{"text":"a"}',
    b'  {"id" : 1.0e0, "text":"a", "x":[1,{"y":null}]} \r',
    b'{"text":null,"id":null}',
    b'{"text":"\\ud83d","id":"x"}',
    b'{"text":"a","text":"b"}',
    b'{"n":1e400,"big":123456789012345678901234567890,"text":"\\u0000"}',
    b'{"text":"' + "字".encode() * 9 + b'"}',
    b"",
    b" \t",
    b"{broken",
    b"[1]",
    b'{"text":5}',
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.sampled_from(JSON_LINES)), final=st.booleans())
def test_kept_lines_go_out_byte_for_byte(tmp_path, lines, final) -> None:
    """Good lines as they came, blank and bad ones left out, the last one with a line feed."""
    file = tmp_path / "in.jsonl"
    content = b"\n".join(lines) + (b"\n" if final else b"")
    file.write_bytes(content)
    good = [line for line in lines if line.strip() and line not in JSON_LINES[9:]]
    good = [line for line in good if b"1.0e0" not in line]  # a float is no id
    if lines and next((line for line in lines if line.strip()), b"") == b"[1]" == lines[0]:
        return  # an array in the first line is refused as a whole
    assert copied(file, tmp_path / "out.jsonl") == b"".join(line + b"\n" for line in good)


def test_removed_rows_are_spliced(tmp_path) -> None:
    """`_neardup` comes last, an older one is replaced, nothing else changes."""
    lines = [b'{"text":"a" , "x":1.50 } \r', b'{"_neardup":1,"text":"a"}', b'{"text":"b"}']
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines))
    reason = {"cluster": 7, "kept_id": '"k\\"1"', "distance": 0, "relation": "exact"}
    with open_inputs([tmp_path / "in.jsonl"]) as inputs:
        list(inputs.documents(Fields(), "stop"))
        (rows,) = inputs.rows()
        out = rows.removed([0, 1], [reason, reason])
    member = b'"_neardup":{"cluster":7,"kept_id":"k\\"1","distance":0,"relation":"exact"}}\n'
    assert out == b'{"text":"a" , "x":1.50,' + member + b'{"text": "a",' + member


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\x00"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(st.text("abc0", min_size=1), texts), min_size=1))
def test_formats_hold_the_same_documents(tmp_path, rows) -> None:
    """JSONL, CSV, TSV and Parquet of the same rows, and text of the same lines."""
    ids, contents = [row[0] for row in rows], [row[1] for row in rows]
    write_jsonl(tmp_path / "a.jsonl", [{"id": i, "text": t} for i, t in rows])
    table = pa.table({"id": ids, "text": contents})
    pq.write_table(table, tmp_path / "a.parquet")
    for name in ("a.csv", "a.tsv"):
        file = TableWriter(str(tmp_path / name), table.schema)
        file.write(table)
        file.finish()
        file.commit()
    (tmp_path / "a.txt").write_text("".join(t + "\n" for t in contents), "utf-8", newline="")
    for name in ("a.jsonl", "a.parquet", "a.csv", "a.tsv"):
        assert read(tmp_path / name) == (contents, ids)
    assert read(tmp_path / "a.txt")[0] == contents


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz", "in.jsonl.zst"])
def test_compression(tmp_path, name) -> None:
    """By suffix on both sides; several members are read whole; a truncated one is an error."""
    rows = [{"id": i, "text": f"text {i}"} for i in range(2000)]
    plain = write_jsonl(tmp_path / "plain.jsonl", rows).read_bytes()
    file = AtomicFile(str(tmp_path / name))
    file.write(plain)
    file.finish()
    file.commit()
    assert read(tmp_path / name)[1] == list(range(2000))
    assert len(copied(tmp_path / name, tmp_path / f"out-{name}")) > 0
    assert read(tmp_path / f"out-{name}")[1] == list(range(2000))
    if name != "in.jsonl":
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content + content)
        assert len(read(tmp_path / name)[0]) == 4000
        (tmp_path / name).write_bytes(content[:-9])
        with pytest.raises(InputError, match="in.jsonl"):
            read(tmp_path / name)


def test_gzip_output_is_reproducible(tmp_path) -> None:
    """No time of day in it."""
    for name in ("a.gz", "b.gz"):
        with gzip.open(tmp_path / f"x{name}", "wb"):
            pass
        file = AtomicFile(str(tmp_path / name))
        file.write(b"content")
        file.finish()
        file.commit()
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


CHINESE = "敏捷的棕色狐狸跳过懒狗，今天天气很好。\n我们去公园散步，然后回家吃饭。\n" * 9
TRADITIONAL = "敏捷的棕色狐狸跳過懶狗，今天天氣很好。\n我們去公園散步，然後回家吃飯。\n" * 9


@pytest.mark.parametrize(
    ("text", "codec", "asked"),
    [
        (CHINESE, "utf-8", None),
        (CHINESE, "utf-8-sig", None),
        (CHINESE, "gb18030", None),
        (CHINESE, "gbk", "gbk"),
        (TRADITIONAL, "big5", None),
        (TRADITIONAL, "big5", "big5"),
        (CHINESE, "utf-16", None),
        (CHINESE, "utf-16-le", "utf-16-le"),
        ("plain English lines\n" * 20, "utf-16-be", None),
        (CHINESE, "utf-32", None),
    ],
)
def test_encodings(tmp_path, text, codec, asked) -> None:
    """By mark, by name, or told from the beginning; the output is UTF-8."""
    file = tmp_path / "in.txt"
    file.write_bytes(text.encode(codec))
    assert read(file, encoding=asked)[0] == text.splitlines()
    if asked is None:
        assert copied(file, tmp_path / "out.txt") == text.encode()


def test_a_few_broken_lines_don_t_change_the_encoding(tmp_path) -> None:
    """They are bad rows of a UTF-8 file."""
    lines = [b'{"text":"\xe4\xbd\xa0"}'] * 5 + [b'{"text":"\xe4\xbd"}']
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines))
    with pytest.raises(BadRowError, match=r"in.jsonl:6: invalid UTF-8 at byte 9 of the line"):
        read(tmp_path / "in.jsonl")
    assert len(read(tmp_path / "in.jsonl", on_error="skip")[0]) == 5


def test_what_fits_no_encoding_is_an_error(tmp_path) -> None:
    """It names file, line, byte, and the option."""
    (tmp_path / "in.txt").write_bytes(b"ok\n\xff\xfe\xfd\x80\n\x80\xff\xff\n")
    with pytest.raises(InputError, match=r"in.txt:2: .*byte 3.*--encoding"):
        read(tmp_path / "in.txt")
    with pytest.raises(UsageError, match="unknown encoding"):
        read(tmp_path / "in.txt", encoding="klingon")


BAD_LINES = [
    ('{"text":"a"', "not valid JSON"),
    ("17", "expected a JSON object, found a number"),
    ('{"body":"a"}', 'no field "text"; the row has: body'),
    ('{"text":["a"]}', 'field "text" is a list, expected a string'),
    ('{"text":"a","id":true}', "is a boolean, expected a string or a whole number"),
    ('{"text":"a","id":1.5}', "is a number, expected a string or a whole number"),
    ('{"text":' + "[" * 200_000, "nested too deeply"),
    ('{"text":' + "[" * 5_000 + "]" * 5_000 + "}", "nested too deeply"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES, ids=[reason for _, reason in BAD_LINES])
def test_bad_lines(tmp_path, line, reason) -> None:
    """Stop with file and line, or skip and count."""
    (tmp_path / "in.jsonl").write_text('{"text":"good"}\n\n' + line + "\n")
    with pytest.raises(BadRowError) as caught:
        read(tmp_path / "in.jsonl")
    assert caught.value.line == 3
    assert reason in caught.value.reason
    with open_inputs([tmp_path / "in.jsonl"]) as inputs:
        (batch,) = inputs.documents(Fields(), "skip")
    assert batch.texts == ["good"]
    assert [bad.line for bad in batch.bad] == [3]
    assert len(batch.bad[0].row) <= 4096


def test_fields(tmp_path) -> None:
    """Several text fields are joined, paths walk into objects, literal keys win."""
    rows = [
        {"title": "t", "meta": {"body": "b", "n": 3}, "key": 5},
        {"title": None, "meta": {"body": "c", "n": 1}, "key": "k"},
        {"title": None, "meta": {"body": None, "n": 2}, "key": 2**65, "meta.body": "literal"},
    ]
    file = write_jsonl(tmp_path / "in.jsonl", rows)
    found = read(file, text=("title", "meta.body"), id="key", value="meta.n")
    assert found == (["t\nb", "\nc", "\nliteral"], [5, "k", 2**65])
    with pytest.raises(BadRowError, match='no field "absent"'):
        read(file, text=("title",), id="absent")


def test_derived_ids_name_the_line(tmp_path) -> None:
    """As the file was given; rows with an id keep theirs."""
    file = write_jsonl(tmp_path / "in.jsonl", [{"text": "a"}, {"text": "b", "id": "x"}])
    assert read(file)[1] == [f"{file}:1", "x"]


def test_csv(tmp_path) -> None:
    """Delimiters, quotes, line ends in fields, records of the wrong length, an open quote."""
    file = tmp_path / "in.csv"
    file.write_bytes(b'id;text\r\n1;"a;""b""\r\nc"\r\n2;only\n3\n')
    with pytest.raises(BadRowError, match="in.csv:5: expected 2 columns, found 1"):
        read(file)
    assert read(file, on_error="skip") == (['a;"b"\r\nc', "only"], ["1", "2"])
    assert copied(file, tmp_path / "out.csv") == b'id;text\n1;"a;""b""\r\nc"\n2;only\n'
    file.write_text('id,text\n1,"open\n2,b\n')
    with pytest.raises(BadRowError, match="in.csv:2: not valid CSV"):
        read(file)
    file.write_text("id,id,text\n1,2,3\n")
    with pytest.raises(InputError, match="a name twice: id"):
        read(file)
    file.write_text("id,body\n1,2\n")
    with pytest.raises(InputError, match='no column "text"; the header has: id, body'):
        read(file)


def test_parquet(tmp_path) -> None:
    """Kinds of strings, paths into structs, schemas that differ, what is no Parquet."""
    table = pa.table(
        {
            "id": pa.array([1, None], pa.int32()),
            "text": pa.array(["a", None]).dictionary_encode(),
            "meta": pa.array([{"body": "x"}, {"body": "y"}]),
        }
    )
    file = tmp_path / "in.parquet"
    pq.write_table(table, file, compression="gzip")
    assert read(file) == (["a", None], [1, f"{file}:2"])
    assert read(file, text=("meta.body",))[0] == ["x", "y"]
    copied(file, tmp_path / "out.parquet", lambda index: index == 0)
    out = pq.ParquetFile(tmp_path / "out.parquet")
    assert out.read().equals(table.slice(0, 1))
    assert out.metadata.row_group(0).column(0).compression == "GZIP"
    with pytest.raises(InputError, match='column "meta" is struct'):
        read(file, text=("meta",))
    with pytest.raises(InputError, match='no column "body"; the file has: id, text, meta'):
        read(file, text=("body",))
    pq.write_table(table.drop_columns(["meta"]), tmp_path / "other.parquet")
    with pytest.raises(InputError, match="one schema"):
        read(file, tmp_path / "other.parquet")
    for content in (b"", b"PAR1 nonsense", file.read_bytes()[:-20]):
        file.write_bytes(content)
        with pytest.raises(InputError, match=r"in.parquet: can't be read"):
            read(file)


def test_text_lines(tmp_path) -> None:
    """Only a line feed ends a line; empty lines are documents, so that lines stay in order."""
    file = tmp_path / "in.txt"
    content = "a\r\n\nb\u2028c\x0cd\x85\n e".encode()
    file.write_bytes(content)
    assert read(file)[0] == ["a", "", "b\u2028c\x0cd\x85", " e"]
    assert copied(file, tmp_path / "out.txt") == content + b"\n"


def test_a_folder_of_documents(tmp_path) -> None:
    """A document a file, named by its path within; kept files are copied into a new folder."""
    pages = tmp_path / "pages"
    (pages / "sub").mkdir(parents=True)
    (pages / "b.html").write_bytes("乙".encode("gb18030") * 30)
    (pages / "sub" / "a.txt").write_bytes(b"a\r\n")
    (pages / ".hidden").write_bytes(b"x")
    assert read(pages) == (["乙" * 30, "a\r\n"], ["b.html", "sub/a.txt"])
    with open_inputs([pages]) as inputs:
        list(inputs.documents(Fields(), "stop"))
        writer = inputs.writer(str(tmp_path / "out"))
        (rows,) = inputs.rows()
        writer.write(rows.kept([False, True]))
        writer.finish()
        assert not (tmp_path / "out").exists()
        writer.commit()
        assert (tmp_path / "out" / "sub" / "a.txt").read_bytes() == b"a\r\n"
        assert not (tmp_path / "out" / "b.html").exists()
        with pytest.raises(OutputError, match="not empty"):
            inputs.writer(str(pages))


def test_paths(tmp_path) -> None:
    """Globs are sorted, folders of shards are tables, one format a run, no file twice."""
    for name in ("b", "a", "c"):
        write_jsonl(tmp_path / f"{name}.jsonl", [{"text": name}])
    assert read(str(tmp_path / "*.jsonl"))[0] == ["a", "b", "c"]
    assert read(tmp_path)[0] == ["a", "b", "c"]
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    with pytest.raises(UsageError, match="the same file is given twice"):
        read(tmp_path / "a.jsonl", tmp_path / "link.jsonl")
    (tmp_path / "x.csv").write_text("text\na\n")
    with pytest.raises(UsageError, match="one format"):
        read(tmp_path / "a.jsonl", tmp_path / "x.csv")
    with pytest.raises(InputError, match="nothing matches"):
        read(str(tmp_path / "*.parquet"))
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent.jsonl")
    (tmp_path / "odd.log").write_text("x")
    with pytest.raises(UsageError, match="--format"):
        read(tmp_path / "odd.log")
    assert read(tmp_path / "odd.log", format="text")[0] == ["x"]
    (tmp_path / "array.json").write_text('[{"text":"a"}]')
    with pytest.raises(InputError, match="jq -c"):
        read(tmp_path / "array.json")


def test_a_file_that_changes_or_vanishes_is_noticed(tmp_path) -> None:
    """Between the passes."""
    file = write_jsonl(tmp_path / "in.jsonl", [{"text": "a"}])
    with open_inputs([file]) as inputs:
        list(inputs.documents(Fields(), "stop"))
        write_jsonl(file, [{"text": "other"}])
        with pytest.raises(InputError, match="changed while it was being read"):
            list(inputs.rows())
        file.unlink()
        with pytest.raises(InputError, match="no such file"):
            list(inputs.rows())


def test_outputs_appear_whole_or_not_at_all(tmp_path) -> None:
    """The old content stays until commit; discarding leaves no trace; modes and links are kept."""
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(target)
    file = AtomicFile(str(link))
    file.write(b"new")
    file.finish()
    assert target.read_text() == "old"
    file.commit()
    file.discard()
    assert target.read_text() == "new"
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    other = AtomicFile(str(target))
    other.write(b"lost")
    other.discard()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "out.jsonl"]
    with pytest.raises(OutputError, match="can't be written: it is a folder"):
        AtomicFile(str(tmp_path))


def test_an_output_has_the_format_of_the_input(tmp_path) -> None:
    """Another suffix is a misunderstanding."""
    file = write_jsonl(tmp_path / "in.jsonl", [{"text": "a"}])
    with open_inputs([file]) as inputs:
        with pytest.raises(UsageError, match="the format of the input, jsonl"):
            inputs.writer(str(tmp_path / "out.parquet"))
        with pytest.raises(UsageError, match="is an input"):
            inputs.check_output(str(file))
        (tmp_path / "hard.jsonl").hardlink_to(file)
        with pytest.raises(UsageError, match="is an input"):
            inputs.check_output(str(tmp_path / "hard.jsonl"))
        with pytest.raises(OutputError, match="does not exist"):
            inputs.check_output(str(tmp_path / "absent" / "out.jsonl"))
