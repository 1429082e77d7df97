//! Weights of features (docs/algorithm.md, section 3).

use std::collections::BTreeMap;

use crate::dictionary::{Dictionary, UNKNOWN_LEVEL};
use crate::error::{Error, Result};
use crate::fixed::log2_fixed;
use crate::hash::digest_hex;

/// How a feature's number of occurrences becomes its weight.
#[derive(Clone, Debug)]
pub(crate) enum Weights {
    Count,
    Binary,
    Sqrt,
    Log,
    /// Level times count; `None` is the built-in table.
    Levels(Option<BTreeMap<String, u8>>),
}

impl Weights {
    pub(crate) fn parse(name: &str, table: Option<BTreeMap<String, u8>>) -> Result<Self> {
        if let Some(table) = table {
            if let Some((word, level)) = table.iter().find(|(_, level)| !(1..=5).contains(*level)) {
                return Err(Error::profile(format!(
                    "a level must be from 1 to 5, found {level} for {word:?}"
                )));
            }
            if name != "levels" {
                return Err(Error::profile(format!(
                    "a level table goes with the weights \"levels\", not with {name:?}"
                )));
            }
            return Ok(Self::Levels(Some(table)));
        }
        match name {
            "count" => Ok(Self::Count),
            "binary" => Ok(Self::Binary),
            "sqrt" => Ok(Self::Sqrt),
            "log" => Ok(Self::Log),
            "levels" => Ok(Self::Levels(None)),
            _ => Err(Error::profile(format!(
                "unknown weights {name:?}; expected count, binary, sqrt, log or levels"
            ))),
        }
    }

    pub(crate) fn text_form(&self) -> String {
        match self {
            Self::Count => "count".to_owned(),
            Self::Binary => "binary".to_owned(),
            Self::Sqrt => "sqrt".to_owned(),
            Self::Log => "log".to_owned(),
            Self::Levels(None) => "levels".to_owned(),
            Self::Levels(Some(table)) => {
                let lines: String = table
                    .iter()
                    .map(|(word, level)| format!("{word}\t{level}\n"))
                    .collect();
                format!("levels:{}", digest_hex(lines.as_bytes()))
            }
        }
    }

    /// Whether two occurrences weigh twice as much as one: then they need not be counted first.
    pub(crate) fn linear(&self) -> bool {
        matches!(self, Self::Count | Self::Levels(_))
    }

    /// What one occurrence weighs, of a feature under linear weights.
    pub(crate) fn unit(&self, feature: &str) -> u64 {
        match self {
            Self::Levels(None) => u64::from(Dictionary::level(feature)),
            Self::Levels(Some(table)) => {
                u64::from(table.get(feature).copied().unwrap_or(UNKNOWN_LEVEL))
            }
            _ => 1,
        }
    }

    /// What `count` occurrences (at least 1) weigh together, under weights that are not linear.
    pub(crate) fn of_count(&self, count: u64) -> u64 {
        match self {
            Self::Binary => 1,
            Self::Sqrt => (65_536 * count).isqrt(),
            Self::Log => 256 + log2_fixed(count, 8),
            _ => count,
        }
    }

    /// The weight of a feature that occurs `count` times.
    pub(crate) fn weight(&self, feature: &str, count: u64) -> u64 {
        if self.linear() {
            count * self.unit(feature)
        } else {
            self.of_count(count)
        }
    }
}
