//! The readable text of an HTML page (docs/algorithm.md, step `html`).

use scraper::{Html, Node};

/// Elements whose content is not for reading.
const HIDDEN: [&str; 4] = ["script", "style", "template", "noscript"];

/// Elements inside a line; all others begin and end one.
const INLINE: [&str; 30] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr",
];

/// The text nodes of `page` in order, entities decoded, a line feed around every block.
pub(crate) fn readable(page: &str) -> String {
    use ego_tree::iter::Edge;

    let page = Html::parse_document(page);
    let mut text = String::new();
    let mut hidden = 0_u32;
    for edge in page.tree.root().traverse() {
        let (node, opens) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        match node.value() {
            Node::Element(element) => {
                if HIDDEN.contains(&element.name()) {
                    if opens {
                        hidden += 1;
                    } else {
                        hidden -= 1;
                    }
                }
                if !INLINE.contains(&element.name()) {
                    text.push('\n');
                }
            }
            Node::Text(piece) if opens && hidden == 0 => text.push_str(piece),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_reader_sees_remains() {
        let page =
            "<title>T</title><script>var t=1;</script><p>a<b>b</b>&nbsp;&#20041;<br>c<!-- d -->";
        let text = readable(page);
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            ["T", "ab", "义", "c"]
        );
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        assert_eq!(readable(&"<div>".repeat(100_000)).trim(), "");
    }
}
