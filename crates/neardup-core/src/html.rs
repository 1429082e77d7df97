//! The readable text of an HTML page (docs/algorithm.md, step `html`).
//!
//! Only the tokens of HTML5 are read, no tree is built: linear time, whatever the nesting.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Elements whose content is not for reading.
const HIDDEN: [&[u8]; 4] = [b"script", b"style", b"template", b"noscript"];

/// Elements inside a line; all others begin and end one.
const INLINE: [&[u8]; 30] = [
    b"a", b"abbr", b"b", b"bdi", b"bdo", b"cite", b"code", b"data", b"del", b"dfn", b"em", b"font",
    b"i", b"ins", b"kbd", b"label", b"mark", b"q", b"s", b"samp", b"small", b"span", b"strong",
    b"sub", b"sup", b"time", b"tt", b"u", b"var", b"wbr",
];

/// The text between the tags of `page` in order, entities decoded, a line feed for every tag of
/// a block.
pub(crate) fn readable(page: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    // Without it, what is in a script would be read as tags and text.
    emitter.naively_switch_states(true);
    let mut text = String::new();
    let mut hidden = 0_usize;
    for token in Tokenizer::new_with_emitter(page, emitter).flatten() {
        let (name, opens) = match &token {
            Token::StartTag(tag) => (&tag.name, !tag.self_closing),
            Token::EndTag(tag) => (&tag.name, false),
            Token::String(piece) => {
                if hidden == 0 {
                    text.push_str(&String::from_utf8_lossy(piece));
                }
                continue;
            }
            _ => continue,
        };
        let name: &[u8] = name;
        if HIDDEN.contains(&name) {
            hidden = if opens {
                hidden + 1
            } else {
                hidden.saturating_sub(1)
            };
        }
        if !INLINE.contains(&name) {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(page: &str) -> Vec<String> {
        readable(page)
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn only_what_a_reader_sees_remains() {
        let page = "<!doctype html><title>T</title><script>var t = '<p>1</p>';</script><style>p {}</style>\
                    <p class='>'>a<b>b</b>&nbsp;&#20041;<br>c<!-- d -->&amp;e</p><template><p>f</p></template>g";
        assert_eq!(words(page), ["T", "ab", "义", "c&e", "g"]);
    }

    #[test]
    fn broken_pages_end_well() {
        for page in [
            "",
            "<",
            "<p",
            "</",
            "<script>",
            "&#xFFFFFFFF;",
            "<!--",
            "a < b && c > d",
            "\0<\0>",
        ] {
            let _ = readable(page);
        }
        assert_eq!(
            words("a < b && c > d"),
            ["a", "<", "b", "&&", "c", ">", "d"]
        );
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        assert_eq!(readable(&"<div>".repeat(100_000)).trim(), "");
    }
}
