"""Write `fingerprints.jsonl`: check every row that is there, then add the cases that are not.

A row is never changed. If the oracle disagrees with one, nothing is written.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import xxhash

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "oracle"))

import simhash_reference as oracle

FILE = HERE / "fingerprints.jsonl"
Row = dict[str, Any]
Case = dict[str, Any]

DEFAULT = "ignorable,nfkc,casefold,whitespace"
WIDTHS = (1, 2, 6, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 130, 160, 191, 192, 193, 255, 256)

# ------------------------------------------------------------------------------------- Texts

MODERN = "我来到北京清华大学，研究近似重复文本的检测方法；他来到了网易杭研大厦。"
CLASSICAL = "春日\n問君何所思，迢遞豔陽時。門靜人歸晚，牆高蝶過遲。學而時習之，不亦說乎？"
ENGLISH = (
    "The lazy dog's owner can't jump 3.14 feet: 1,000 dogs (e.g. Rex) do; the DOG does, the dog"
)
MIXED = "vitaminC泡腾片每日两粒，SK-II和BB-8到货；1.5万元的A-7型号，链接见t.cn短网址foo_bar x.y"
REPEATS = "红 红 红 蓝 the the The THE a 签到签到签到签到 7 7 7 "

ZOO = {
    "classical": "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。",
    "traditional": "傳統的雜湊演算法只負責將原始內容盡量均勻隨機地映射為一個簽名值。",
    "news": "市图书馆本周末起延长开放时间，周五至周日晚上九点闭馆，读者可凭身份证入馆阅览。",
    "ambiguous cuts": "研究生命起源。南京市长江大桥。乒乓球拍卖完了。"
    "结婚的和尚未结婚的。下雨天留客天留我不留",
    "not in the dictionary": "𠮷𠮷野家绝绝子yyds囧rz㊣龘靐齉",
    "apostrophes": "can't won’t 'tis rock'n'roll dogs' O'Neill l'été ‘quoted’ \"quoted\"",
    "numbers": "3.14 1,000 1.000,5 .5 5. 12:30 2024-12-31 1/2 v1.31 10% $9.99 1_000 0x1F 6e23",
    "names": "C-3PO t.cn foo_bar x.y a.b.c node.js C++ C# F# .NET AT&T R&D e.g. i.e. U.S.A.",
    "emoji": "a👨‍👩‍👧‍👦b 🏳️‍🌈 👍🏽 ❤️‍🔥 🇨🇳🇩🇪🇫 1️⃣ #️⃣ ©️ ™ 🙂🙂",
    "emoji and Han": "下单成功🎁赠品👩🏽‍💻是🇨🇳一把𠮷蓝色雨伞☂️。",
    "NFC": "Caf\u00e9 r\u00e9sum\u00e9 na\u00efve \u00c5ngstr\u00f6m Vi\u1ec7t",
    "NFD": "Cafe\u0301 re\u0301sume\u0301 nai\u0308ve A\u030angstro\u0308m Vie\u0323\u0302t",
    "mark order": "q\u0307\u0323 q\u0323\u0307 "
    "a\u0315\u0300\u05ae\u0300b \u0344 \u0958 \u2126 \u212b",
    "marks alone": "\u0301\u0301 \u0308 ，\u20dd",
    "marks after Han": "字\u0301abc 字\u200d字\ufe00字 か\u3099 カ\u309a は\u309a",
    "full-width": "ＡＢＣ１２３　ｆｕｌｌ－ｗｉｄｔｈ，"
    "％＆（ｔｅｓｔ）ｃａｎ＇ｔ　３．１４　ｆｏｏ＿ｂａｒ",
    "compatibility ideographs": "豈更車賈滑串句龜龜契金喇 嗀 﨎 里 﩮 \U0002f800\U0002fa1d",
    "compatibility": "㍿ ㈱ ① ⅷ Ⅻ ﬁne ﬀ ﬃ ™ ℡ ㎏ ½ x² H₂O ㌔ ㋿ ﷺ ª º … ‥ ㄱ ﹏ ︴",
    "Hangul": "한국어 문장 한국 각 각 ᄀ 각 ﾡ 나는학생입니다",
    "Thai": "ตลาดเปิดวันนี้ น้ำ กำลัง เกม๑๒๓ รถไฟมาช้ามาก",
    "Lao Khmer Burmese Tibetan": "ສະບາຍດີ ຫຼາຍ សួស្តី មនុស្ស မင်္ဂလာပါ བཀྲ་ཤིས་བདེ་ལེགས།",
    "Arabic": "السوق مفتوح اليوم ٣٤٥ ١٬٠٠٠ ٣٫١٤ لا ﻻ ﷲ مُحَمَّد ـــ كتـــاب",
    "Hebrew": "שָׁלוֹם עֲלֵיכֶם צה״ל צה\"ל ג' ג׳ירפה א\"ב'ג שׁ ﬥ",
    "Devanagari": "हिन्दी में लिखा हुआ वाक्य क्षि क्‍ष क्‌ष ज़ १२३ ॐ। ড় ক্ষ தமிழ் నమస్తే",
    "kana": "東京タワーへ行きました。ﾊﾝｶｸｶﾀｶﾅ ﾊﾟﾋﾟ カタカナー・ヽヾ ゝゞ ひらがな 時々 〆切 ㍻",
    "Greek": "ΟΔΥΣΣΕΥΣ οδυσσεύς ΐ ΐ ᾳ ᾼ ΣΑΣ ϐ ϑ ϵ Ὀδυσσεύς",
    "German": "Straße STRASSE ẞ Fuß FUẞ MASSE Maße äÄ ſs",
    "Turkish": "İstanbul ISPARTA ılık i\u0307 I\u0307 ÇĞŞ",
    "ligatures": "ﬁ ﬂ ﬆ ŉ ǰ ŉdef և ﬓ Ǆ ǅ ǆ",
    "Cyrillic": "Съешь ещё этих мягких французских булок, Їжак й Ѕ Ӏ",
    "Georgian Cherokee Deseret": "ႠႡ Ⴀ ა Ა Ᏸ ꭰ Ꭰ 𐐀𐐨 Ⴀ",
    "digits": "٣٤٥ १२३ ๑๒๓ １２ 𝟏𝟐 ①② Ⅳ ½ 〇一二三 2024年 a1b22c333 1²3 ൧ 𞥐",
    "mathematical letters": "𝐇𝐞𝐥𝐥𝐨 𝒲𝑜𝓇𝓁𝒹 ℌ ℝ ℓ ℵ 𝛀 ∑",
    "soft hyphens": "soft\u00adhyphen zero\u200bwidth join\u200der non\u200cjoiner "
    "word\u2060joiner \ufeffbom \u061c\u202eabc\u202c "
    "var\ufe0f \U000e0100 \U000e0041 \u180e x\u034fy",
    "fillers": "a\u115f\u1160b \u3164 \uffa0 c\u17b4d \u2065 \ufff0",
    "blanks": "\t a\r\nb\u3000c\u0085d\u2028e\u2029\u00a0 f "
    "\x0b\x0c g\u2009\u202fh\u205fi\u1680 \rj\n\nk",
    "controls": "a\x00b\x01c \x7f d \x1be \ufffd \ue000 \ufffeg",
    "supplementary Han": "𠀀𪛟𫜴𫝀𬸚𰀀𱍊 𠮷野家 𣸣淇 字𤭢",
    "Han marks": "々 〇 〡〢〩 〸〹〺〻 〆 〤 人々 二〇二四年 㐀䶿鿿 ䷀ ꀀ ⺀ ⼀ ㇀",
    "edges of Han": "\u33ff\u3400\u4dbf\u4dc0\u4dff\u4e00\u9fff\ua000\uf8ff\uf900\ufaff\ufb00"
    "\U0001ffff\U00020000\U0003ffff\U00040000",
    "punctuation": "！！！ ★☆★ 。。。 — … -- ((())) ~~~",
    "extenders": "_ __ a_ _a 1_1 あ_い カ_ナ ‿a⁀b a‿b",
    "middle marks": "a:b a·b a·b 1:2 1;2 1,a a,1 a.1 1.a a'1 1'1 a''b l·l a‧b a՟b 1٬2 a：b １，２",
    "quotes": "א'א א\"א א\" \"א a\"a א״א א׳ 'a' a' 'a ’a’",
    "indicators": "🇦 🇦🇧 🇦🇧🇨 🇦🇧🇨🇩 a🇦🇧 🇦b 🇦\u0308🇧 🇦\u200d🇧",
    "joiners": "a\u200d👍 👍\u200d👍 a\u0308\u200d b \u200da \u200d\u200d "
    "1\u200d2 a\u00ad'\u00adb 3\u0308.\u03084",
    "one letter": "x",
    "one ideograph": "猫",
    "one number": "½",
    "one emoji": "🙂",
    "two": "猫x",
    "letters of N": "Ⅻ ⅷ ² ৴ ፩ 𐄇",
    "long word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
}

# Letters, marks and case pairs that came with Unicode 15, 16 and 17; no NFKC is taken of them.
NEW = (
    "\U00010d50\U00010d70 \U00010d40\U00010d41 \u1c89\u1c8a",
    "\U00016ea0\U00016ebb \ua7ce\ua7cf \ua7cb\u0264 \ua7dc\u019b",
    "a\u1acf\U00010efdb \u0897x \U00031350\U000323af字\U00033479",
    "\U00011f50\U00011f51\U0001e4f0 \U00011de0\U00011db0 \U00011b60a",
)

STEP_TEXTS = (
    "Ａ\u00adＢ\u200b①ﬁ  Straße\u3000İ １２ ٣٤x5 Cafe\u0301 豈\ufe00 Σας",
    "\ufeff \u3000ﾊﾟ\u200d\u00a0X² 𝟏𝟐３4 ŉ ᾳ\u0345 ſ\u2028\u2028ẞ \u00ad",
)
STEP_SETS = (
    "none", *oracle.STEPS, "ignorable,nfkc", "nfkc,casefold", "casefold,whitespace",
    "casefold,digits",
    "nfkc,digits", "digits,whitespace", "ignorable,casefold", "nfkc,whitespace",
    "nfkc,casefold,digits", "ignorable,nfkc,casefold,digits,whitespace",
)  # fmt: skip
HTML_TEXTS = (
    "<!DOCTYPE html><title>T &amp; A</title><p class='a'>eins<b>zwei</b> drei</p><p>vier<br/>fünf",
    (
        "<table><tr><td>快递</td><td>柜维护</td></tr></table>"
        "<!-- 注 -->通知&nbsp;&#20041;&#x8bca;&copy;"
    ),
    (
        "<script>var t = '<p>';</script>清<em>华</em>大学<style>p{}</style>"
        "<div>大<span>学</span></div>"
    ),
    "a < b &lt; c &notit; <textarea><b>x</b></textarea><UL><LI>One<li>Two</UL>tail",
)

DICTIONARIES = (
    ["云原生底座", "云原生"],
    ["底座", "北京清华", "市长", "长江大桥研究"],
    ["豈更", "\U0002f800一", "龜"],
    ["我", "的", "大学", "大学"],
    ["这是一个比内置词典里任何一个词都要长得多的词条因为它是用户自己加进来的而且没有标点符号"],
    ["𠮷野家", "吉野", "〇一", "々"],
)
DICTIONARY_TEXTS = (
    "我们重构了云原生底座项目，云原生的底座在北京清华大学研究。",
    "南京市长江大桥研究所的豈更丽一龜大学大学生，人々二〇一九年去𠮷野家吉野家",
    "他说这是一个比内置词典里任何一个词都要长得多的词条因为它是用户自己加进来的而且没有标点符号吗",
)
LEVELS = (
    {"清华大学": 5, "的": 1, "dog": 4, "红": 2, "ＡＢＣ": 5, "Straße": 4, "签到": 1},
    {"我来": 5, "来到": 1, "the": 2, "t h": 4, "红 红": 5, "红": 1, "大 学": 4, "og": 1, "7": 5},
)
LEVEL_TEXTS = (MODERN, ENGLISH, REPEATS + "ABC abc strasse")

# The worked example of the method's best known description, with its hashes of six bits.
EXAMPLE_HASHES = {
    "你": "001000", "妈妈": "010100", "喊": "001000", "叫": "000011", "回家": "100001",
    "吃饭": "101001", "哦": "101000", "啦": "100010", "回家罗": "100110",
}  # fmt: skip
EXAMPLES: tuple[list[list[Any]], ...] = tuple(
    [["你", 3], ["妈妈", 3], [verb, 2], ["你", 3], ["回家", 4], ["吃饭", 4], [end, 2],
     ["回家罗", 3], ["回家罗", 3]]
    for verb, end in (("喊", "哦"), ("叫", "啦"))
)  # fmt: skip
GIVEN: tuple[list[list[Any]], ...] = (
    [["天气", 1], ["晴朗", 1]],
    [["红", 3], ["蓝", 1], ["红", 2]],
    [["a", 0.1], ["b", 0.2], ["c", 0.30000000000000004]],
    [["a", 5e-324], ["b", 1]],
    [["a", 1.7976931348623157e308], ["b", 5e-324], ["c", 3]],
    [["a", 0.3333333333333333], ["b", 0.3333333333333333], ["c", 0.6666666666666666]],
    [["a", 10**40], ["b", 10**40], ["c", 1]],
    [["a", 9007199254740993], ["b", 9007199254740992.0]],
    [["a", 0], ["b", 0.0]],
    [["a", 0], ["b", 7], ["c", 0.0]],
    [["x" * n, n] for n in range(1, 41)],
    [["猫", 1], ["🙂", 2], [" ", 3], ["a b", 4], ["A", 5], ["Ａ", 6]],
    [["e\u0301", 7], ["\u00e9", 8]],
    [["字" * n, 1 / n] for n in (1, 2, 5, 6, 42, 43, 80, 81, 85, 86, 200, 342)],
)

LONG: tuple[tuple[str, int], ...] = (
    (MODERN + CLASSICAL, 4800),
    (ENGLISH + "; ", 11000),
    (MIXED + "🙂 ", 5400),
    ("的", 350_000),
    ("a", 1_000_000),
)

POOLS = {
    "words": "abcXYZ éß'’.,:;-_\"·١٢12 3\u0301\u200d\u00ad\u05d0\u05d1\u05f4カナー\u3000"
    "🇨🇳👍🏽❤\ufe0fひกำ가\r\n",
    "Han": "我们来到北京清华大学研究生命的起源南京市长江大桥乒乓球拍卖完了"
    "和尚未结婚中华人民共和国家a，",
    "all": "我们北京大学aBc1２ ,.'\u0301\u200d\ufe0f\u00adßİΣςﬁ①豈ｱﾞ"
    '々〇𠮷🙂👩\u200b\u3000\u0085\nאב"٣१_カ각각',
}


def case(text: str, *, repeat: int = 1, **fields: Any) -> Case:
    """A case with a text."""
    return {"profile": profile(**fields), "text": text} | ({"repeat": repeat} if repeat > 1 else {})


def profile(
    features: str = "words", weights: str = "count", bits: int = 64, steps: str = DEFAULT,
    dictionary: Iterable[str] | None = None,
) -> str:  # fmt: skip
    """The text form of a profile."""
    words = ""
    if features == "words":
        words = " dictionary=jieba-0.42.1"
        if dictionary is not None:
            words += "+" + oracle.dictionary_digest(normalized_words(dictionary, steps))
    return (
        f"neardup/1 unicode=17 normalize={steps} features={features}{words} "
        f"weights={weights} hash=xxh3 bits={bits}"
    )


def normalized_words(words: Iterable[str], steps: str) -> list[str]:
    """A user's words as the profile's steps leave them."""
    return [oracle.normalize(word, steps.split(",")) for word in words]


def fuzz(pool: str, seed: int, length: int) -> str:
    """A text of characters drawn from a pool by hash, the same on every machine."""
    return "".join(
        pool[xxhash.xxh3_64_intdigest(f"{seed}:{i}".encode()) % len(pool)] for i in range(length)
    )


# ------------------------------------------------------------------------------------- Cases


def cases() -> Iterator[Case]:
    """All cases, beyond the rows that the file began with."""
    kinds = ["words", *(f"tokens:{n}" for n in (1, 2, 3, 5, 64))]
    kinds += [f"chars:{n}" for n in (1, 2, 3, 4, 7, 64)]
    for kind in kinds:
        for weights in ("count", "binary", "sqrt", "log"):
            yield case(REPEATS + MIXED, features=kind, weights=weights)
    for text in (MODERN, CLASSICAL, ENGLISH, MIXED, REPEATS):
        yield case(text, weights="levels")
    for number, width in enumerate(WIDTHS):
        text = (MODERN, CLASSICAL, ENGLISH, MIXED, REPEATS)[number % 5]
        kind, weights = (("tokens:2", "log"), ("chars:3", "count"), ("words", "sqrt"))[number % 3]
        yield case(text, features=kind, weights=weights, bits=width)
        yield case("猫", bits=width)
    for number, text in enumerate(ZOO.values()):
        yield case(text)
        yield case(text, steps="none")
        kind = ("chars:3", "tokens:2", "chars:1", "tokens:1", "chars:4", "tokens:3")[number % 6]
        yield case(text, features=kind, steps=(DEFAULT, "none")[number // 6 % 2], bits=128)
    for text in NEW:
        for kind in ("words", "chars:2"):
            yield case(text, features=kind, steps="casefold")
    for steps in STEP_SETS:
        for text in STEP_TEXTS:
            yield case(text, features="chars:2", steps=steps, bits=32)
    for text in HTML_TEXTS:
        yield case(text, steps=f"html,{DEFAULT}")
        yield case(text, features="chars:2", steps="html")
    for size in (2, 3, 64):
        for length in range(size - 1, size + 3):
            word = "".join(chr(ord("a") + i % 26) for i in range(length))
            yield case(word, features=f"chars:{size}")
            half = length // 2
            yield case(f"，{word[:half]}-- {word[half:]}！", features=f"chars:{size}")
            yield case("、".join(MODERN.replace("，", "")[:length]), features=f"tokens:{size}")
    for words in DICTIONARIES:
        for text in DICTIONARY_TEXTS:
            yield case(text, dictionary=words) | {"dictionary": words}
    for table in LEVELS:
        digest = oracle.levels_digest(dict(zip(
            normalized_words(table, DEFAULT), table.values(), strict=True)))  # fmt: skip
        for kind in ("words", "tokens:2", "chars:2"):
            for text in LEVEL_TEXTS:
                made = case(text, features=kind, weights=f"levels:{digest}")
                yield made | {"levels": table}
    for text, times in LONG:
        for kind in ("words", "chars:4"):
            yield case(text, repeat=times, features=kind, weights="sqrt")
    for repeat in (255, 256, 257, 65536):
        yield case("ab 词,", repeat=repeat, weights="log")
    for seed in range(15):
        for name, pool in POOLS.items():
            steps = "none" if seed % 2 or name == "words" else DEFAULT
            kind = ("words", "words", "words", "tokens:2", "chars:2")[seed % 5]
            yield case(fuzz(pool, seed, 8 + 4 * seed), features=kind, steps=steps)
    text = "neardup/1 features=given weights=given hash=xxh3 bits="
    for number, given in enumerate(GIVEN):
        yield {"profile": f"{text}{(64, 6, 200)[number % 3]}", "given": given}
    six = {feature: int(bits, 2) for feature, bits in EXAMPLE_HASHES.items()}
    for given in EXAMPLES:
        used = {feature: six[feature] for feature, _ in given}
        yield {"profile": f"{text}6", "given": given, "hashes": used}
    for bits in (1, 64, 65, 256):
        ends = {"a": 1, "b": 1 << bits - 1, "c": (1 << bits) - 1, "d": 0}
        given = [["a", 2], ["b", 0.5], ["c", 1], ["d", 2.25]]
        yield {"profile": f"{text}{bits}", "given": given, "hashes": ends}


# -------------------------------------------------------------------------------------- Rows


def row(made: Case) -> Row:
    """The row of a case: the profile's id, the case, what comes out."""
    if "given" in made:
        bits = int(made["profile"].rpartition("=")[2])
        given = [(feature, weight) for feature, weight in made["given"]]
        identity = None if "hashes" in made else oracle.digest(made["profile"])
        result: Row = {"profile": made["profile"], "profile_id": identity} | made
        weighted = oracle.given_weights(given)
        sums = oracle.sums(weighted, bits, made.get("hashes"))
        if weighted and bits <= 64 and max(map(abs, sums)) < 1 << 53:
            result["sums"] = sums
        result["fingerprint"] = oracle.fingerprint_given(given, bits, made.get("hashes"))
        return result
    recipe = oracle.parse_profile(made["profile"], made.get("dictionary"), made.get("levels"))
    text = made["text"] * made.get("repeat", 1)
    features = oracle.features(text, recipe)
    sums = oracle.sums(features, recipe.bits)
    result = dict[str, Any](profile=recipe.text, profile_id=recipe.id) | made
    if len(text) <= 200:
        result["normalized"] = oracle.normalize(text, recipe.steps)
    if len(features) < 60 and sum(len(feature) for feature, _ in features) < 5000:
        result["features"] = [list(feature) for feature in features]
        if 0 < len(features) < 20 and recipe.bits <= 64:
            result["sums"] = sums
    result["fingerprint"] = oracle.reduce(sums) if features else None
    return result


def needs_missing_package(profile_text: str) -> bool:
    """Is this a case for which the oracle needs a package that is not installed?"""
    html = "html" in profile_text.partition("normalize=")[2].partition(" ")[0].split(",")
    return html and importlib.util.find_spec("html5lib") is None


def inputs(made: Case) -> str:
    """What makes two rows the same case."""
    names = ("profile", "text", "repeat", "dictionary", "levels", "given", "hashes")
    return json.dumps([made.get(name) for name in names])


def main() -> None:
    """Check the rows of the file, and add those of new cases."""
    lines = FILE.read_text("utf-8").split("\n")[:-1] if FILE.exists() else []
    known = set()
    unchecked = 0
    for number, line in enumerate(lines, 1):
        old = json.loads(line)
        known.add(inputs(old))
        if needs_missing_package(old["profile"]):
            unchecked += 1
            continue
        new = row({k: v for k, v in old.items() if k not in {
            "profile_id", "normalized", "features", "sums", "fingerprint"}})  # fmt: skip
        if any(new.get(name, value) != value for name, value in old.items()):
            raise SystemExit(f"{FILE.name}:{number}: the oracle disagrees with the row")
    added = 0
    for made in cases():
        if inputs(made) in known:
            continue
        if needs_missing_package(made["profile"]):
            raise SystemExit("install html5lib to add rows with the step html")
        known.add(inputs(made))
        lines.append(json.dumps(row(made), ensure_ascii=False, separators=(",", ":")))
        added += 1
    FILE.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    print(f"{len(lines)} rows, {added} of them new, {unchecked} not checked (they need html5lib)")


if __name__ == "__main__":
    main()
