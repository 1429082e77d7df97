"""Awkward inputs that people have met with tools of this field; each test is a kind of fault.

The numbers are those of the collection that the cases come from.
"""

from __future__ import annotations

import json
import random
import unicodedata
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pyarrow as pa
import pytest
from helpers import read_jsonl, run, write_jsonl

import neardup
from neardup import Profile, UsageError, dedup, distance, fingerprint


def near(a: str, b: str, profile: Profile = neardup.DEFAULT_PROFILE) -> int:
    """The distance of two texts."""
    return distance(fingerprint(a, profile), fingerprint(b, profile))


def pairs(texts, max_distance: int = 3, **recipe):
    """The pairs of a list of texts, as dedup sees them."""
    result = dedup(texts, max_distance=max_distance, profile=Profile(**recipe))
    return [(pair.left, pair.right) for pair in result.pairs]


def test_1_every_script_has_features() -> None:
    """Unrelated texts of one script are no pair."""
    texts = [
        "我每天清晨沿河跑步",
        "她在阁楼里收藏旧邮票",
        "السوق مفتوح اليوم",
        "القطار تأخر ساعة كاملة",
    ]
    texts += ["ตลาดเปิดวันนี้", "รถไฟมาช้ามาก"]
    for recipe in ({}, {"features": "chars:3"}, {"features": "tokens:1"}):
        assert pairs(texts, **recipe) == []
        assert all(fingerprint(text, Profile(**recipe)) for text in texts)


def test_2_symbols_pair_by_equality_only() -> None:
    """Texts without features are no fingerprints; only the exact copy is a pair."""
    texts = ["！！！", "★☆★", "😀😀", "   ", "", "。。。", "！！！"]
    for features in ("words", "chars:3", "tokens:2"):
        assert pairs(texts, features=features) == [(0, 6)]
    result = dedup(texts)
    assert result.summary["low_information"] == 7
    assert [(gone.id, gone.kept_id, gone.relation) for gone in result.removed] == [(6, 0, "exact")]


@pytest.mark.parametrize("tail", ["。", "！", "？", "…", "\n", "  ", "!?"])
def test_3_punctuation_at_the_end_changes_nothing(tail) -> None:
    """Under the default normaliser."""
    for text in ("快递已到驿站", "tea", "今天 and 明天"):
        assert near(text, text + tail) == 0
    assert near("快递已到驿站。", "水费下月调整。") > 3


def test_4_chinese_is_not_cut_at_blanks() -> None:
    """One changed word of eighteen is near under the default settings."""
    texts = [
        "代码评审时请另开一个会话，由独立的助手检查全部改动，再合并到主干分支",
        "代码评审时请另开一个会话，由独立的助手检查所有改动，再合并到主干分支",
        "晚饭后记得给阳台的绿萝浇水，顺便把晾好的衣服收进来",
    ]
    assert pairs(texts) == [(0, 1)]


@pytest.mark.parametrize("features", ["chars:5", "tokens:5"])
def test_5_texts_shorter_than_the_shingle_are_one_feature(features) -> None:
    """Only the copy of the cat goes."""
    rows = [(1, "猫"), (2, "狗"), (3, "两只鸟"), (4, "猫"), (5, "tea"), (6, "jam")]
    result = dedup(
        [{"id": number, "text": text} for number, text in rows], profile=Profile(features)
    )
    assert [row["id"] for row in result.kept] == [1, 2, 3, 5, 6]
    assert [(gone.id, gone.kept_id, gone.relation) for gone in result.removed] == [(4, 1, "exact")]


def test_6_lengths_around_the_shingle() -> None:
    """Five texts of 2, 3 and 4 characters have five fingerprints, none all zeros or all ones."""
    texts = ["今天", "你好吗", "今天见", "没问题", "没问题吧"]
    made = {fingerprint(text, Profile("chars:3")).value for text in texts}
    assert len(made) == 5
    assert not made & {0, 2**64 - 1}


@pytest.mark.parametrize("features", ["words", "tokens:1", "chars:2"])
@pytest.mark.parametrize(
    "text",
    [
        "vitaminC泡腾片每日两粒",
        "C-3PO手办到货",
        "1.5万元的A-7型号",
        "下单🎁赠品𠮷野家",
        "a_b c.d e'f",
    ],
)
def test_7_and_16_features_cover_the_text(text, features) -> None:
    """Every letter and digit of the normalised text is in a feature."""
    profile = Profile(features)
    covered = set("".join(profile.cut(text)))
    assert {c for c in profile.normalize(text) if unicodedata.category(c)[0] in "LN"} <= covered


def test_9_all_faces_cut_and_hash_alike() -> None:
    """Library and command line give the same features and fingerprints, under one id."""
    for text in ("买了SK-II和BB-8", "型号A-7比B-9便宜", "链接见t.cn短网址"):
        shown = json.loads(run("explain", "--text", text, "--json").stdout)
        assert [row["text"] for row in shown["features"]] == list(
            dict.fromkeys(neardup.DEFAULT_PROFILE.cut(text))
        )
        assert shown["fingerprint"]["hex"] == fingerprint(text).hex
        assert shown["profile_id"] == neardup.DEFAULT_PROFILE.id
    with pytest.raises(neardup.ProfileError, match="one profile"):
        distance(fingerprint("a"), fingerprint("a", Profile("chars:3")))


def _in_a_worker(profile: Profile) -> str:
    return fingerprint("我们重构了云原生底座项目", profile).hex


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_10_a_dictionary_reaches_the_workers(method) -> None:
    """It is part of an immutable profile, pickled with it; nothing is global."""
    profile = Profile(dictionary=["云原生底座"])
    expected = _in_a_worker(profile)
    assert expected != _in_a_worker(Profile())
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        assert pool.submit(_in_a_worker, profile).result() == expected


def test_11_bytes_are_not_guessed(tmp_path) -> None:
    """A GBK file is read as GBK when asked; bytes in the library are refused with a hint."""
    gbk, utf8 = bytes.fromhex("bdf1ccecccecc6f8d5e6b2bbb4ed"), "今天天气真不错".encode()
    (tmp_path / "gbk.txt").write_bytes(gbk + b"\n")
    (tmp_path / "utf8.txt").write_bytes(utf8 + b"\n")
    made = [
        json.loads(run("fingerprint", tmp_path / name, *more).stdout)["fingerprint"]
        for name, more in (("gbk.txt", ["--encoding", "gbk"]), ("utf8.txt", []))
    ]
    assert made[0] == made[1] == fingerprint("今天天气真不错").hex
    with pytest.raises(UsageError, match="decode"):
        fingerprint(gbk)
    (tmp_path / "mixed.txt").write_bytes(utf8 + b"\n" + utf8 + b"\n" + gbk + b"\n")
    failed = run("fingerprint", tmp_path / "mixed.txt", "-o", tmp_path / "o", code=3)
    assert b"mixed.txt:3: invalid UTF-8 at byte 0" in failed.stderr
    mojibake = "今天天气真不错".encode().decode("latin-1")
    assert dedup([mojibake, "Café crème"]).summary["mojibake_texts"] == 1


def test_12_full_width_is_the_same_text() -> None:
    """With the default normaliser, whose steps are part of the id; rows go out as they came."""
    wide = "订单编号ＡＢＣ１２３４５已发货，请注意查收"
    narrow = "订单编号ABC12345已发货,请注意查收"
    assert near(wide, narrow) == 0
    assert dedup([wide, narrow]).kept == [wide]
    assert Profile(normalize=["casefold", "whitespace"]).id != Profile().id


def test_13_canonical_equivalents_are_the_same_text() -> None:
    """Composed or decomposed, and compatibility ideographs."""
    for text in ("Café résumé naïve", "把問題弄清楚再答覆客戶", "한국어 문장"):
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert near(text, unicodedata.normalize(form, text)) == 0
    ideographs = ["把\uf900\uf901清楚", "把豈更清楚"]
    assert dedup(ideographs).removed[0].relation == "exact"


def test_15_characters_are_never_cut() -> None:
    """A bad row that is shown in part is valid text."""
    text = "药品说明书第一版：每日两次，每次一片，饭后服用🙂"
    for features in ("words", "chars:3", "tokens:2"):
        explained = neardup.explain(text, profile=Profile(features))
        assert all(feature.text.encode() for feature in explained.features)


def test_16_text_after_an_emoji_counts() -> None:
    """And after an ideograph beyond the basic plane."""
    texts = [
        "下单成功🎁赠品是一把蓝色雨伞",
        "下单成功🎁赠品是两张电影票券",
        "下单成功𠮷赠品是两张电影票券",
    ]
    assert near(texts[0], texts[1]) > 0
    assert {"赠品", "𠮷"} <= set(neardup.DEFAULT_PROFILE.cut(texts[2]))


def test_17_counts_never_wrap() -> None:
    """Nowhere between 2^8 and 2^70; a text with a word 400 times works."""
    expected = neardup.fingerprint_features(["词"]).value
    for count in (255, 256, 65_536, 1_000_000, 2**31, 2**32, 2**63, 2**70):
        assert neardup.fingerprint_features([("词", count), ("b", 1)]).value == expected
    assert fingerprint("ab " * 400).value == fingerprint("ab").value


def test_19_the_rule_of_counting_is_shown() -> None:
    """Bag and set similarities are named, and equal words are not called equal texts."""
    comparison = neardup.compare("红 红 红 蓝", "蓝 红")
    assert comparison.to_dict()["weights"] == "count"
    assert comparison.weighted_jaccard == 0.5
    assert comparison.set_jaccard == 1.0
    assert not comparison.exact
    assert not neardup.compare("签到 签到 签到", "签到 " * 8).exact
    assert neardup.compare("a b", "x y", profile=Profile(weights="binary")).set_jaccard == 0


def test_20_a_feature_without_weight_weighs_one() -> None:
    """Also after one with a weight."""
    mixed = neardup.fingerprint_features([("a", 5), "b", "c"])
    assert mixed == neardup.fingerprint_features([("a", 5), ("b", 1), ("c", 1)])
    assert mixed != neardup.fingerprint_features([("a", 5), ("b", 5), ("c", 5)])


def test_21_weights_are_exact_and_finite() -> None:
    """Scale does not matter; what is no weight is an error that names the feature."""
    scaled = [neardup.fingerprint_features([("词", 0.25 * s), ("b", 0.5 * s)]) for s in (1, 100)]
    assert scaled[0] == scaled[1]
    huge = neardup.fingerprint_features([("词", 1e300), ("b", 1.0)])
    assert huge == neardup.fingerprint_features(["词"])
    for weight in (float("nan"), float("inf"), -1, -0.5, "2", None, True):
        with pytest.raises(UsageError, match="词"):
            neardup.fingerprint_features([("词", weight), ("b", 1)])
    assert neardup.fingerprint_features([("词", 0), ("b", 1)]) == neardup.fingerprint_features(
        ["b"]
    )


def test_23_another_table_is_another_profile() -> None:
    """The digest of a level table is part of the profile's id; unknown words are level 3."""
    one, other = ({"发布": 2, "新品": 5}, {"发布": 5, "新品": 1})
    first, second = (Profile(weights="levels", levels=table) for table in (one, other))
    assert first.id != second.id
    with pytest.raises(neardup.ProfileError):
        distance(fingerprint("公司发布新品", first), fingerprint("公司发布新品", second))
    assert {f.text: f.weight for f in first.features("公司发布新品")} == {"公司": 3, **one}
    with pytest.raises(neardup.ProfileError, match="expected the profile"):
        Profile.from_text(first.text, levels=other)


def _generated(count: int):
    draw = random.Random(1)
    for i in range(count):
        words = ("".join(draw.choices("abcdefghij", k=5)) for _ in range(240))
        yield f"第{i}篇报道：" + " ".join(words)


@pytest.mark.parametrize("bits", [1, 31, 64, 128, 192, 256])
def test_24_and_25_every_bit_means_something(bits) -> None:
    """Each is 1 in 30 to 70 % of the texts, at every width; none mirrors another."""
    made = neardup.fingerprint_many(list(_generated(500)), Profile(bits=bits))
    rows = np.array([[int(digit) for digit in fp.binary] for fp in made])
    assert rows.shape == (500, bits)
    ones = rows.mean(axis=0)
    assert ones.min() > 0.3
    assert ones.max() < 0.7
    assert len({column.tobytes() for column in rows.T}) == bits


def test_24_wider_than_the_hash_is_an_error() -> None:
    """512 bits would repeat."""
    for bits in (0, 257, 512, -1, 64.0, True):
        with pytest.raises(UsageError, match="bits"):
            Profile(bits=bits)


def test_25_a_narrow_hash_is_an_error() -> None:
    """A user's hash that fills 32 of 64 bits."""
    import zlib

    with pytest.raises(UsageError, match="does not fill 64 bits"):
        neardup.fingerprint_features(["a"], hash_function=lambda text: zlib.crc32(text.encode()))


def test_26_a_tie_is_zero() -> None:
    """Two features of one weight: the bits that both have."""
    both = neardup.fingerprint_features(["天气", "晴朗"]).value
    one, other = (neardup.fingerprint_features([word]).value for word in ("天气", "晴朗"))
    assert both == one & other
    assert neardup.fingerprint_features(["天气", "晴朗", "天气", "晴朗"]).value == both
    assert neardup.fingerprint_features([]) is None
    shown = run("explain", "--feature", "天气", "--feature", "晴朗", "--json").stdout
    assert json.loads(shown)["fingerprint"]["hex"] == format(both, "016x")


def test_27_nothing_depends_on_the_process() -> None:
    """Not on the seed of Python's own hash."""
    outputs = {
        run("fingerprint", "-", input="近似去重\nnear duplicate\n".encode(), env=env).stdout
        for env in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}, {})
        for _ in range(2)
    }
    assert len(outputs) == 1


LIBRARY = (
    "市图书馆本周末起延长开放时间，周五至周日晚上九点闭馆，读者可凭身份证入馆阅览，"
    "少儿区仍按原时间开放，停车场凭当日借书小票可免费停放两小时。"
)


def test_29_an_edit_costs_alike_at_both_ends() -> None:
    """Both edits are near, at a distance for texts of this length; words have no position."""
    texts = [LIBRARY, "快讯：" + LIBRARY, LIBRARY + "（完）"]
    assert set(pairs(texts, 6)) >= {(0, 1), (0, 2)}
    numbered = [LIBRARY.replace("九点", f"{i}点") for i in range(50)]
    prefix = np.mean([near(text, "快讯：" + text) for text in numbered])
    suffix = np.mean([near(text, text + "（完）") for text in numbered])
    assert abs(prefix - suffix) < 2


def test_30_order_plays_no_part_in_words() -> None:
    """And says so; in shingles it does; the texts are never called exact."""
    texts = ["狗 咬 了 人", "人 咬 了 狗", "苹果 香蕉 橙子 葡萄 西瓜", "西瓜 葡萄 橙子 香蕉 苹果"]
    shingles = Profile("tokens:2")
    for a, b in (texts[:2], texts[2:]):
        assert near(a, b) == 0
        assert near(a, b, shingles) > 0
        assert neardup.compare(a, b).verdict == "near"
        assert dedup([a, b]).removed[0].relation == "near"
    assert b"order of features plays no part" in run("explain", "--text", texts[0]).stdout


def test_31_short_texts_with_another_number_are_kept() -> None:
    """A word of two or three is a third of the bits: far beyond the distance."""
    texts = ["今晚八点开会", "今晚九点开会", "大屏手机壳", "大屏手机", "第七集 归来", "第八集 归来"]
    assert pairs(texts) == []


def test_32_distance_0_is_not_identity() -> None:
    """An amount or a "not" in a long text: near, never exact."""
    text = (
        "本协议由甲乙双方签订。甲方应按期支付货款，乙方应按期交付货物，任何一方违约应承担赔偿责任。"
        * 8
    )
    for one, other in (
        ("合同金额为人民币100万元。", "合同金额为人民币1000万元。"),
        ("甲方不同意续约。", "甲方同意续约。"),
    ):
        assert near(text + one, text + other) <= 3
        assert [gone.relation for gone in dedup([text + one, text + other]).removed] == ["near"]
        assert dedup([text + one, text + one]).removed[0].relation == "exact"


def test_33_nothing_is_called_similarity_that_is_not() -> None:
    """Jaccard is exact; the cosine is an estimate with an interval; bits are bits."""
    long = "港口今日吞吐量创新高，集装箱码头连续作业，海关加快查验放行，外贸企业订单充足，预计下月仍将保持增长"  # noqa: E501
    found = neardup.compare("医院", long).to_dict()
    assert found["weighted_jaccard"] == found["set_jaccard"] == 0
    assert not any("similarity" in name for name in found)
    low, high = found["estimated_cosine_interval"]
    assert low < found["estimated_cosine"] < high
    assert low < 0 < high


@pytest.mark.parametrize(("k", "expected"), [(0, "d"), (3, "bd"), (4, "bcd"), (64, "bcd")])
def test_35_the_distance_is_inclusive(k, expected) -> None:
    """0, 3 and 4 bits from a."""
    names = "abcd"
    found = neardup.find_pairs([0x0, 0x7, 0xF, 0x0], k)
    assert {names[pair.right] for pair in found if pair.left == 0} == set(expected)


def test_37_strings_have_one_form() -> None:
    """Fixed-width hexadecimal; everything else is an error with a hint."""
    assert distance("0000000000000007", "000000000000000F") == 1
    assert distance("2b", "28", bits=6) == 2
    bad = [
        ("13835058055282163729", "13835058055282163728"),
        ("0x10", "16"),
        ("10", "0" * 14 + "10"),
    ]
    for a, b in [*bad, ("0x10", "0x11"), ("１" * 16, "1" * 16), ("", "")]:
        with pytest.raises(UsageError):
            distance(a, b)
    for a, b in ((-1, 1), (1.0, 2.0), (True, False), ("0" * 16, 0)):
        with pytest.raises(UsageError):
            distance(a, b)


def test_38_fingerprints_and_ids_survive_files(tmp_path) -> None:
    """Hexadecimal strings; large integer ids stay exact; floats are refused."""
    rows = [{"id": 9007199254740993, "text": "甲地今日晴"}, {"id": 2**70, "text": "，"}]
    file = write_jsonl(tmp_path / "rows.jsonl", rows)
    for suffix in ("jsonl", "csv", "parquet"):
        run("fingerprint", file, "-o", tmp_path / f"out.{suffix}")
    made = fingerprint("甲地今日晴").hex
    found = read_jsonl(tmp_path / "out.jsonl")
    assert [(row["id"], row["fingerprint"]) for row in found] == [
        (9007199254740993, made),
        (2**70, None),
    ]
    assert f"9007199254740993,{made}," in (tmp_path / "out.csv").read_text()
    table = pa.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["id"], row["fingerprint"]) for row in table] == [
        ("9007199254740993", made),
        (str(2**70), None),
    ]
    for dtype in (np.float64, np.int64, np.uint32):
        with pytest.raises(UsageError, match="uint64"):
            neardup.find_pairs(np.array([1, 2], dtype))


@pytest.mark.parametrize("ids", [[900, 17, 5, 33], ["z", "b", "a", "c"], [2**40, 3, 2**41, 1]])
def test_61_one_of_a_cluster_stays(ids) -> None:
    """Whatever the ids: they choose nothing."""
    texts = ["甲地今日晴", "甲地今日晴", "甲地今日晴", "乙地有阵雨"]
    result = dedup([{"id": i, "text": text} for i, text in zip(ids, texts, strict=True)])
    assert [row["id"] for row in result.kept] == [ids[0], ids[3]]
    assert [(gone.id, gone.kept_id) for gone in result.removed] == [
        (ids[1], ids[0]),
        (ids[2], ids[0]),
    ]


def test_62_clusters_are_of_the_pairs_given() -> None:
    """Not of candidates."""
    assert [found.members for found in neardup.cluster([(0, 2), (1, 3)], count=4)] == [
        [0, 2],
        [1, 3],
    ]


@pytest.mark.parametrize("order", ["given", "reversed", "shuffled"])
def test_63_chains(order) -> None:
    """Single linkage joins a chain of 60 bits and warns; star keeps removed ones within k."""
    chain = [(1 << 3 * i) - 1 for i in range(21)]
    if order == "reversed":
        chain.reverse()
    if order == "shuffled":
        random.Random(0).shuffle(chain)
    found = neardup.find_pairs(chain, 3)
    (single,) = neardup.cluster(found, linkage="single")
    assert len(single.members) == 21
    assert len(single.kept) == 1
    star = neardup.cluster(found)
    for row, kept in enumerate(star.kept.tolist()):
        assert distance(chain[row], chain[kept]) <= 3


def test_63_a_wide_cluster_is_reported() -> None:
    """With its diameter, and a warning that says what to do."""
    words = [f"w{i}" for i in range(400)]
    texts = [" ".join(words[i : i + 200]) for i in range(0, 200, 4)]
    single = dedup(texts, linkage="single", max_distance=6).summary
    assert single["widest_cluster"]["diameter"] > 6
    assert any("single linkage" in warning for warning in single["warnings"])
    star = dedup(texts, max_distance=6)
    assert all(gone.distance <= 6 for gone in star.removed)


@pytest.mark.parametrize("keep", ["first", "last", "longest", "shortest", "min:id", "max:id"])
def test_64_the_survivor_does_not_depend_on_chance(keep) -> None:
    """Nor on threads; on the order of rows only where the rule says so."""
    rows = [
        {"id": "b", "text": "通知：周六消防演练，请勿惊慌"},
        {"id": "a", "text": "通知：周六消防演练，请勿惊慌！"},
        {"id": "c", "text": "通知：周六消防演练，请勿惊慌"},
    ]
    shuffled = random.Random(3)
    survivors = set()
    for _ in range(20):
        kept = {dedup(rows, keep=keep, threads=n).kept[0]["id"] for n in (1, 2, 8)}
        assert len(kept) == 1
        expected = {"first": rows[0]["id"], "last": rows[-1]["id"]}.get(keep)
        assert expected is None or kept == {expected}
        survivors |= kept
        shuffled.shuffle(rows)
    assert survivors == {
        "longest": {"a"},
        "min:id": {"a"},
        "max:id": {"c"},
        "shortest": {"b", "c"},
    }.get(keep, survivors)


def test_65_the_account_is_complete(tmp_path) -> None:
    """Eleven rows, ten equal and one near: ten go, each with its reason; all pairs are listed."""
    text = (
        "物业提示：门禁卡遗失后请在二十四小时内到一楼前台登记补办，补办需携带身份证并缴纳工本费十元，"
        "逾期未登记的旧卡仍可开门，由此产生的责任由持卡人自行承担。"
    )
    edited = text.replace("到", "至", 1).removesuffix("。")
    rows = [{"id": i, "text": text} for i in range(10)] + [{"id": 10, "text": edited}]
    file = write_jsonl(tmp_path / "rows.jsonl", rows)
    outputs = {name: tmp_path / f"{name}.jsonl" for name in ("removed", "pairs", "clusters")}
    options = [word for name, path in outputs.items() for word in (f"--{name}", path)]
    run("dedup", file, "-o", tmp_path / "kept.jsonl", *options, "--distance", 6)
    assert [row["id"] for row in read_jsonl(tmp_path / "kept.jsonl")] == [0]
    removed = read_jsonl(outputs["removed"])
    assert [row["id"] for row in removed] == list(range(1, 11))
    reasons = [row["_neardup"] for row in removed]
    assert {(r["cluster"], r["kept_id"]) for r in reasons} == {(0, 0)}
    assert [r["relation"] for r in reasons] == ["exact"] * 9 + ["near"]
    assert reasons[-1]["distance"] == near(text, edited) <= 6
    assert len(read_jsonl(outputs["pairs"])) == 55
    assert {row["cluster"] for row in read_jsonl(outputs["clusters"])} == {0}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom.csv", b"\xef\xbb\xbfid,text\n1,\xe4\xbd\xa0\xe5\xa5\xbd\n"),
        ("bom.jsonl", b'\xef\xbb\xbf{"id":"1","text":"\xe4\xbd\xa0\xe5\xa5\xbd"}\n'),
        ("bom.txt", b"\xef\xbb\xbf\xe4\xbd\xa0\xe5\xa5\xbd\n"),
        ("utf16.txt", "\ufeff你好\n".encode("utf-16-le")),
        ("utf16.csv", "\ufeffid,text\n1,你好\n".encode("utf-16-be")),
    ],
)
def test_70_byte_order_marks_are_not_text(tmp_path, name, content) -> None:
    """Neither of the first column nor of the first document."""
    (tmp_path / name).write_bytes(content)
    (row,) = [json.loads(line) for line in run("fingerprint", tmp_path / name).stdout.splitlines()]
    assert row["fingerprint"] == fingerprint("你好").hex
    assert row["id"] == ("1" if "txt" not in name else f"{tmp_path / name}:1")


def test_71_lone_surrogates_are_repaired(tmp_path) -> None:
    """For the comparison only: the line goes out as it came."""
    lines = (
        b'{"id":1,"text":"\xe4\xbc\x98\xe6\x83\xa0\\ud83d\xe4\xbb\x8a\xe6\x97\xa5\xe6\x88\xaa"}\n'
        b'{"id":2,"text":"\xe4\xbc\x98\xe6\x83\xa0\\ud83d\xe4\xbb\x8a\xe6\x97\xa5\xe6\x88\xaa"}\n'
        b'{"id":3,"text":"normal"}\n'
    )
    (tmp_path / "in.jsonl").write_bytes(lines)
    outputs = ["-o", tmp_path / "out.jsonl", "--removed", tmp_path / "gone.jsonl"]
    done = run("dedup", tmp_path / "in.jsonl", *outputs, "--json")
    assert json.loads(done.stdout)["repaired_texts"] == 2
    kept = lines.splitlines(keepends=True)
    assert (tmp_path / "out.jsonl").read_bytes() == kept[0] + kept[2]
    assert read_jsonl(tmp_path / "gone.jsonl")[0]["_neardup"]["kept_id"] == 1


def test_72_long_fields_are_read(tmp_path) -> None:
    """Beyond the limit of Python's csv module; line ends inside quotes stay."""
    content = 'id,text\n1,"' + "字" * 140_000 + '"\n2,"第一行\n第二行"\n3,ok\n'
    (tmp_path / "in.csv").write_text(content, encoding="utf-8")
    done = run("dedup", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "--json")
    assert json.loads(done.stdout)["documents"] == 3
    assert (tmp_path / "out.csv").read_text("utf-8").replace('"', "") == content.replace('"', "")


def test_74_null_is_not_a_text(tmp_path) -> None:
    """Null and empty texts are kept and counted; what is no text is a bad row."""
    rows = [
        {"id": 1, "text": None},
        {"id": 2, "text": None},
        {"id": 3, "text": ""},
        {"id": 4, "text": ""},
        {"id": 5, "text": "None"},
        {"id": 8, "text": "正常"},
    ]
    result = dedup(rows)
    assert result.kept == rows
    assert result.summary["null_texts"] == 2
    assert result.summary["empty_texts"] == 2
    file = write_jsonl(tmp_path / "in.jsonl", [*rows, {"id": 6}, {"id": 7, "text": 123}])
    failed = run("dedup", file, "-o", tmp_path / "out.jsonl", code=3)
    assert b'in.jsonl:7: no field "text"; the row has: id' in failed.stderr
    done = run("dedup", file, "-o", tmp_path / "out.jsonl", "--on-error", "skip", "--json")
    assert json.loads(done.stdout)["bad_rows"] == 2
    bad = read_jsonl(tmp_path / "out.jsonl.bad.jsonl")
    assert [row["line"] for row in bad] == [7, 8]
    assert "is a number, expected a string" in bad[1]["reason"]


def test_76_streams_are_utf_8_whatever_the_locale(tmp_path) -> None:
    """A rare character under an ASCII locale; names of files, too."""
    text = "生僻字𣸣与表情🙂\n".encode()
    plain = run("fingerprint", "-", input=text).stdout
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert run("fingerprint", "-", input=text, env=env).stdout == plain
    file = tmp_path / "生僻字𣸣.txt"
    file.write_bytes(text)
    done = run("fingerprint", file, env=env)
    assert "生僻字𣸣" in json.loads(done.stdout)["id"]


def test_78_every_source_of_a_setting_works(tmp_path) -> None:
    """Flag, environment, configuration file; a misspelt key is an error; the report says which."""
    file = write_jsonl(tmp_path / "in.jsonl", [{"text": LIBRARY}, {"text": LIBRARY + "（完）"}])
    (tmp_path / "good.toml").write_text("distance = 10\n")
    (tmp_path / "bad.toml").write_text("distence = 10\n")
    runs = [
        (["--distance", "10"], {}, "command line"),
        ([], {"NEARDUP_DISTANCE": "10"}, "environment"),
        (["--config", tmp_path / "good.toml"], {}, "config"),
    ]
    for arguments, env, source in runs:
        found = json.loads(run("dedup", file, "--json", *arguments, env=env).stdout)
        assert found["pairs"] == 1
        assert found["options"]["distance"] == {"value": 10, "source": source}
    failed = run("dedup", file, "--config", tmp_path / "bad.toml", code=2)
    assert b"distance" in failed.stderr


def test_79_a_run_can_be_repeated_from_its_record(tmp_path, poems) -> None:
    """Every option, versions, digests of the inputs; and the same output again."""
    file = write_jsonl(tmp_path / "in.jsonl", poems[:300])
    first, second, record = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "run.json"))
    options = ["--features", "chars:2", "--bits", "128", "--distance", "20", "--keep", "longest"]
    run("dedup", file, "-o", first, "--run", record, *options)
    run("dedup", "--config", record, file, "-o", second)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes() != file.read_bytes()
    found = json.loads(record.read_text())
    assert found["options"]["distance"] == {"value": 20, "source": "command line"}
    assert len(found["inputs"][0]["sha256"]) == 64
    assert found["summary"]["documents"] == 300
    assert found["profile_id"] == found["summary"]["profile_id"]


def test_80_outputs_explain_themselves(tmp_path) -> None:
    """The very example that the documentation shows."""
    rows = [
        {"id": "a", "text": "门店周一盘点"},
        {"id": "b", "text": "门店周一盘点"},
        {"id": "c", "text": "门店周二盘点库存与价签"},
    ]
    file = write_jsonl(tmp_path / "a.jsonl", rows)
    names = ("removed", "pairs", "clusters")
    options = [word for name in names for word in (f"--{name}", tmp_path / f"{name}.jsonl")]
    run("dedup", file, "-o", tmp_path / "kept.jsonl", *options)
    assert read_jsonl(tmp_path / "kept.jsonl") == [rows[0], rows[2]]
    reason = {"cluster": 0, "kept_id": "a", "distance": 0, "relation": "exact"}
    assert read_jsonl(tmp_path / "removed.jsonl") == [{**rows[1], "_neardup": reason}]
    assert read_jsonl(tmp_path / "pairs.jsonl") == [
        {"id_a": "a", "id_b": "b", "distance": 0, "relation": "exact"}
    ]
    assert read_jsonl(tmp_path / "clusters.jsonl")[1] == {"id": "b", "kept": False, **reason}


def test_95_markup_is_read_only_when_asked() -> None:
    """The step html reads the text; without it a text that is mostly tags is pointed out."""
    texts = [
        '<html><body><div class="a1"><p>社区医院&nbsp;周三上午&#20041;&#35786;，请带好病历</p></div></body></html>',  # noqa: E501
        "社区医院 周三上午义诊，请带好病历",
        "<table><tr><td><script>var t=1;</script><b>快递</b>柜维护通知</td></tr></table>",
    ]
    html = Profile(normalize=["html", "ignorable", "nfkc", "casefold", "whitespace"])
    assert near(texts[0], texts[1], html) == 0
    assert near(texts[2], texts[1], html) > 10
    assert "var" not in html.cut(texts[2])
    assert near(texts[0], texts[1]) > 0
    assert any("HTML" in warning for warning in dedup([texts[0], texts[2]]).summary["warnings"])


def test_96_one_setting_for_all_scripts() -> None:
    """Chinese, English and mixed texts in one corpus."""
    texts = [
        "The library extends its opening hours this weekend and parking is free for two hours",
        "The library extends its opening hours this weekend, and parking is free for two hours.",
        "图书馆本周末延长开放时间，停车场免费停放两小时，少儿区照常开放",
        "图书馆本周末延长开放时间，停车场免费停放两小时，少儿区照常开放。",
        "本周Kubernetes集群升级到v1.31，Node节点分批重启",
        "下周Postgres数据库升级到v17，主备切换演练",
    ]
    assert pairs(texts) == [(0, 1), (2, 3)]


def test_67_boilerplate_that_swallows_a_source_is_pointed_out() -> None:
    """One kept document for more than a fifth of the input: a warning names it and the count."""
    menu = "首页 新闻 公告 服务 互动 专题 登录 注册 搜索 帮助 " * 12
    footer = "版权所有 未经许可 不得转载 联系我们 网站地图 隐私声明 " * 12
    rows = [f"{menu}第{number}号通知{footer}" for number in range(300)]
    found = dedup(rows).summary
    assert found["removed_near"] > 60
    assert any("were removed for one kept document" in warning for warning in found["warnings"])


def test_68_numbers_decide_unless_masked() -> None:
    """A number is a word like any other; the step digits masks them, in a profile of its own."""
    texts = [
        "沿江路15号楼电梯于3月2日检修，请走楼梯",
        "沿江路16号楼电梯于3月9日检修，请走楼梯",
        "沿江路15号楼电梯于3月2日检修，请走楼梯！",
    ]
    assert pairs(texts) == [(0, 2)]
    masked = ["ignorable", "nfkc", "casefold", "digits", "whitespace"]
    assert pairs(texts, normalize=masked) == [(0, 1), (0, 2), (1, 2)]
    assert "digits" in Profile(normalize=masked).text
