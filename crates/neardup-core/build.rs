//! Compiles `data/jieba.tsv.gz` into a double-array trie that the library embeds, so that no
//! process spends time on building a dictionary.

use std::fs;
use std::io::Read;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

#[path = "src/fixed.rs"]
mod fixed;

#[path = "src/filter.rs"]
mod filter;

use filter::{FILTER_BYTES, bucket};
use fixed::log2_fixed;

/// Fraction bits of a word's cost.
const COST_BITS: u32 = 23;

fn main() {
    println!("cargo::rerun-if-changed=data/jieba.tsv.gz");
    println!("cargo::rerun-if-changed=src/filter.rs");
    println!("cargo::rerun-if-changed=src/fixed.rs");
    let mut table = String::new();
    flate2::read::GzDecoder::new(fs::File::open("data/jieba.tsv.gz").expect("the dictionary"))
        .read_to_string(&mut table)
        .expect("the dictionary is UTF-8 text");

    let mut rows = table.lines().map(|line| {
        let mut columns = line.split('\t');
        let word = columns.next().expect("a word");
        let frequency: u64 = columns
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a frequency");
        let level: u32 = columns
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a level");
        (word, frequency, level)
    });
    let (_, total, _) = rows.next().expect("the row with the total");
    let log_total = log2_fixed(total, COST_BITS);
    let mut beginnings = vec![0; FILTER_BYTES];
    let records = rows.map(|(word, frequency, level)| {
        let mut characters = word.chars();
        if let (Some(first), Some(second)) = (characters.next(), characters.next()) {
            let (byte, bit) = bucket(first, second);
            beginnings[byte] |= bit;
        }
        let cost = (log_total - log2_fixed(frequency, COST_BITS)) as u32;
        (word, cost << 3 | level)
    });
    let trie = crawdad::Trie::from_records(records).expect("sorted, distinct words");

    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let folder = Path::new(&folder);
    fs::write(folder.join("dictionary.trie"), trie.serialize_to_vec()).expect("room for the trie");
    fs::write(folder.join("beginnings.bits"), beginnings).expect("room for the filter");
    fs::write(
        folder.join("dictionary.rs"),
        format!(
            "/// Cost of a character that begins no word.\n\
             #[allow(clippy::unreadable_literal)]\n\
             const UNKNOWN_COST: u32 = {log_total};\n\
             /// XXH3-64 of the uncompressed table.\n\
             #[cfg(test)]\n\
             #[allow(clippy::unreadable_literal)]\nconst TABLE_DIGEST: u64 = {:#x};\n",
            xxh3_64(table.as_bytes())
        ),
    )
    .expect("room for the constants");
}
