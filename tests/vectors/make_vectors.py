"""Makes the golden vectors from the oracle. A vector of a profile that exists never changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "oracle"))

import simhash_reference as oracle

DEFAULT = "ignorable,nfkc,casefold,whitespace"
WIDTHS = (1, 6, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 160, 192, 255, 256)

TEXTS = {
    "chinese": "我来到北京清华大学，研究近似重复文本的检测方法。",
    "classical": "春日\n問君何所思，迢遞豔陽時。門靜人歸晚，牆高蝶過遲。",
    "english": "The quick brown fox can't jump 3.14 feet; the lazy dog's over 1,000 years old.",
    "mixed": "本周Kubernetes集群升级到v1.31，Node节点分批重启 foo_bar t.cn C-3PO x.y",
    "emoji": "下单成功🎁赠品👨‍👩‍👧‍👦是🇨🇳一把👍🏽蓝色雨伞",
    "nfc": "Café résumé naïve \u00c5ngstr\u00f6m",
    "nfd": "Cafe\u0301 re\u0301sume\u0301 nai\u0308ve A\u030angstro\u0308m",
    "marks": "q\u0307\u0323 q\u0323\u0307 a\u0315\u0300\u05ae\u0300b",
    "full-width": "订单编号ＡＢＣ１２３４５已发货，请注意查收　全角",
    "compatibility": "\uf900\uf901 ㍿ ㈱ ① ⅷ ﬁne ﬀ ｱｲｳｴﾞ Ⅻ ™",
    "hangul": "한국어 문장 \u1112\u1161\u11ab\u1100\u116e\u11a8 각",
    "thai": "ตลาดเปิดวันนี้ น้ำ",
    "arabic": "السوق مفتوح اليوم ٣٤٥",
    "hebrew": "שָׁלוֹם עֲלֵיכֶם צה״ל ג'",
    "devanagari": "हिन्दी में लिखा हुआ वाक्य क्षि",
    "cyrillic": "Съешь ещё этих мягких французских булок",
    "greek": "ΟΔΥΣΣΕΥΣ οδυσσεύς ΐ",
    "german": "Straße STRASSE ẞ",
    "turkish": "İstanbul ISPARTA ılık",
    "ignorable": "soft\u00adhyphen zero\u200bwidth join\u200der non\u200cjoiner var\ufe0f \ufeffbom",  # noqa: E501
    "blanks": "\t a\r\nb\u3000c\u0085d\u2028e\u00a0 f \x0b",
    "digits": "2024年12月31日 room 101, ٣٤٥ and १२३",
    "supplementary": "生僻字𣸣与𠮷野家",
    "kana": "東京タワーへ行きました。ﾊﾝｶｸ カタカナ",
    "punctuation": "！！！ ★☆★ 。。。",
    "empty": "",
    "blank": "   \n",
    "one": "猫",
    "two": "今天",
    "three": "你好吗",
    "four": "今天见面",
    "word": "tea",
    "repeated": "红 红 红 蓝 the the The THE a",
    "control": "a\x00b\x01c \x7f d",
    "seed": "你妈妈喊你回家吃饭哦，回家罗回家罗",
    "seed-2": "你妈妈叫你回家吃饭啦，回家罗回家罗",
}


def text_form(
    features: str, weights: str, bits: int, normalize: str = DEFAULT, extra: str = ""
) -> str:
    """A profile's text form."""
    dictionary = f" dictionary=jieba-0.42.1{extra}" if features == "words" else ""
    return (
        f"neardup/1 unicode=17 normalize={normalize} features={features}{dictionary} "
        f"weights={weights} hash=xxh3 bits={bits}"
    )


def vector(profile: oracle.Profile, text: str, repeat: int = 1, **more: Any) -> dict[str, Any]:
    """One row for a text."""
    whole = text * repeat
    weighted = oracle.features(whole, profile)
    row: dict[str, Any] = {"profile": profile.text, "profile_id": profile.id, "text": text}
    if repeat > 1:
        row["repeat"] = repeat
    row |= more
    sums = oracle.merge(weighted, profile.bits)
    if len(weighted) < 60:
        row["features"] = list(weighted.items())
    if profile.bits <= 64 and weighted and len(weighted) < 60:
        row["sums"] = sums
    row["fingerprint"] = oracle.reduce_sums(sums) if weighted else None
    return row


def rows() -> list[dict[str, Any]]:
    """All vectors."""
    made = []
    # Every text by every kind of features.
    for features in ("words", "chars:1", "chars:3", "tokens:1", "tokens:2"):
        profile = oracle.Profile(text_form(features, "count", 64))
        made += [vector(profile, text) for text in TEXTS.values()]
    # Every weighting and every width.
    for weights in ("binary", "sqrt", "log", "levels"):
        for name in ("chinese", "mixed", "repeated", "seed", "classical"):
            profile = oracle.Profile(text_form("words", weights, 64))
            made.append(vector(profile, TEXTS[name]))
    for bits in WIDTHS:
        for features, weights, name in (
            ("words", "count", "chinese"),
            ("chars:5", "sqrt", "english"),
            ("tokens:3", "log", "mixed"),
        ):
            made.append(vector(oracle.Profile(text_form(features, weights, bits)), TEXTS[name]))
    # Every step alone, and none.
    pages = {"page": "<p>Wir&nbsp;<b>sind</b>d&auml; &#20041;<br>hier</p><script>x = 1;</script>"}
    for steps in (
        "none",
        "ignorable",
        "nfkc",
        "casefold",
        "digits",
        "whitespace",
        "nfkc,digits",
        "html",
        f"html,{DEFAULT}",
        "ignorable,nfkc,casefold,digits,whitespace",
    ):
        for features in ("words", "chars:2"):
            profile = oracle.Profile(text_form(features, "count", 128, steps))
            names = ("nfd", "full-width", "ignorable", "blanks", "digits", "german", "control")
            # HTML5 drops the control character NUL, which the oracle's plain parser doesn't know.
            html = "html" in steps
            made += [
                vector(profile, TEXTS[name]) for name in names if not html or name != "control"
            ]
            if html:
                made += [vector(profile, page) for page in pages.values()]
    # Tables of the user's.
    own = ["云原生底座", "清华", "回家罗"]
    dictionary = "+" + oracle.digest(own)
    profile = oracle.Profile(text_form("words", "count", 64, extra=dictionary), tuple(own))
    for text in ("我们重构了云原生底座项目", TEXTS["chinese"], TEXTS["seed"]):
        made.append(vector(profile, text, dictionary=own))
    levels = {"你好吗": 5, "今天": 1, "kubernetes": 4}
    table = "levels:" + oracle.digest([f"{word}\t{level}" for word, level in levels.items()])
    for features in ("words", "chars:3"):
        profile = oracle.Profile(text_form(features, table, 64), (), levels)
        for name in ("mixed", "three", "two", "chinese"):
            made.append(vector(profile, TEXTS[name], levels=levels))
    # About a megabyte, with a counter's carries.
    for features, bits in (("words", 64), ("chars:3", 128), ("tokens:2", 256)):
        for name, repeat in (("chinese", 16_000), ("english", 12_500)):
            profile = oracle.Profile(text_form(features, "count", bits))
            made.append(vector(profile, TEXTS[name], repeat))
    return made + given_rows()


def given_rows() -> list[dict[str, Any]]:
    """Features of the caller's own; among them the examples of the source texts."""
    first = {"腾讯": 0b100101, "上海分公司": 0b101011}
    cases: list[tuple[list[Any], int, dict[str, int] | None]] = [
        ([["腾讯", 4], ["上海分公司", 5]], 6, first),
        ([["a", 1], ["b", 1]], 64, None),
        ([["词", 255], ["b", 1]], 64, None),
        ([["词", 4294967296], ["b", 1]], 64, None),
        ([["词", 2**70], ["b", 3]], 64, None),
        ([["词", 0.25], ["b", 0.5]], 64, None),
        ([["词", 25], ["b", 50]], 64, None),
        ([["词", 1e300], ["b", 1.0]], 64, None),
        ([["词", 0.1], ["b", 0.2], ["c", 0.3]], 128, None),
        ([["词", 0], ["b", 1]], 200, None),
        ([["词", 0]], 64, None),
        ([], 64, None),
    ]
    made = []
    for weighted, bits, hashes in cases:
        profile = oracle.Profile(f"neardup/1 features=given weights=given hash=xxh3 bits={bits}")
        weights = oracle.given([(feature, weight) for feature, weight in weighted])
        sums = oracle.merge(weights, bits, hashes)
        row: dict[str, Any] = {
            "profile": profile.text,
            "profile_id": None if hashes else profile.id,
            "given": weighted,
        }
        if hashes:
            row["hashes"] = hashes
        row["fingerprint"] = oracle.reduce_sums(sums) if weights else None
        made.append(row)
    return made


if __name__ == "__main__":
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows()]
    (HERE / "fingerprints.jsonl").write_text("".join(lines), encoding="utf-8")
