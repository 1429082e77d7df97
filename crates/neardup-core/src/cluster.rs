//! From pairs to clusters, and to the documents that stay (design of the two linkages in
//! docs/architecture.md).
//!
//! A cluster is a connected component of the pairs. With star linkage every removed document is within the
//! distance of a kept one of higher priority; with single linkage exactly one document of a
//! cluster stays. O((n + pairs) log n).

use crate::error::{Error, Result};

/// How the kept documents of a cluster are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// In the order of priority: a document stays unless a kept one is paired with it.
    Star,
    /// The document of highest priority stays alone.
    Single,
}

/// What became of every document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// The cluster's number, by the order of first members, from 0; singletons count too.
    pub cluster: Vec<u32>,
    /// The document it was removed for, or itself if it stays.
    pub kept: Vec<u32>,
}

/// Clusters documents by pairs of them.
///
/// `group` names for every document the first one that it is equal to (itself, if none); `pairs`
/// are `(left, right, distance)` of such first ones; `priority` ranks the documents, 0 first, each rank once.
///
/// # Errors
/// If the lists don't fit together.
pub fn cluster(
    group: &[u32],
    pairs: (&[u32], &[u32], &[u16]),
    priority: &[u32],
    linkage: Linkage,
) -> Result<Clusters> {
    let (left, right, distance) = pairs;
    check(group, pairs, priority)?;
    let mut components = Components::new(group);
    for (&left, &right) in left.iter().zip(right) {
        components.join(left, right);
    }

    // The document of highest priority of every group of equals.
    let mut best = group.to_vec();
    for (document, &first) in group.iter().enumerate() {
        let leader = &mut best[first as usize];
        if priority[document] < priority[*leader as usize] {
            *leader = document as u32;
        }
    }
    let kept_of_group = match linkage {
        Linkage::Star => star(group, &best, left, right, distance, priority),
        Linkage::Single => single(group, &best, &mut components, priority),
    };

    let mut numbers = vec![u32::MAX; group.len()];
    let mut next = 0;
    let mut result = Clusters::default();
    for &first in group {
        let number = &mut numbers[components.find(first) as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        result.cluster.push(*number);
        result.kept.push(kept_of_group[first as usize]);
    }
    Ok(result)
}

fn check(group: &[u32], pairs: (&[u32], &[u32], &[u16]), priority: &[u32]) -> Result<()> {
    let documents = group.len();
    let (left, right, distance) = pairs;
    if left.len() != right.len() || left.len() != distance.len() {
        return Err(Error::argument(
            "expected as many left as right ends and distances",
        ));
    }
    if group
        .iter()
        .enumerate()
        .any(|(row, &first)| first as usize > row || group[first as usize] != first)
    {
        return Err(Error::argument("a group must be named by its first member"));
    }
    if left
        .iter()
        .chain(right)
        .any(|&end| group.get(end as usize) != Some(&end))
    {
        return Err(Error::argument("pairs must be of first members of groups"));
    }
    let mut seen = vec![false; documents];
    let fits = priority.len() == documents
        && priority.iter().all(|&rank| {
            seen.get_mut(rank as usize)
                .is_some_and(|seen| !std::mem::replace(seen, true))
        });
    if fits {
        Ok(())
    } else {
        Err(Error::argument(
            "priorities must rank all documents, each rank once",
        ))
    }
}

/// For every group the kept document, chosen greedily; of several kept ones within the distance the
/// nearest, then the one of highest priority.
fn star(
    group: &[u32],
    best: &[u32],
    left: &[u32],
    right: &[u32],
    distance: &[u16],
    priority: &[u32],
) -> Vec<u32> {
    let rank = |first: u32| priority[best[first as usize] as usize];
    // Every pair as (rank of the lower one, of the higher one, distance, first of the higher one).
    let mut edges: Vec<(u32, u32, u16, u32)> = left
        .iter()
        .zip(right)
        .zip(distance)
        .map(|((&a, &b), &distance)| {
            let (low, high) = if rank(a) > rank(b) { (a, b) } else { (b, a) };
            (rank(low), rank(high), distance, high)
        })
        .collect();
    edges.sort_unstable();
    let mut order: Vec<u32> = (0..group.len() as u32)
        .filter(|&row| group[row as usize] == row)
        .collect();
    order.sort_unstable_by_key(|&first| rank(first));

    let mut kept = best.to_vec();
    let mut edges = edges.as_slice();
    for first in order {
        let own = edges.partition_point(|edge| edge.0 <= rank(first));
        let (higher, rest) = edges.split_at(own);
        edges = rest;
        let nearest = higher
            .iter()
            .filter(|&&(_, _, _, high)| kept[high as usize] == best[high as usize])
            .min_by_key(|&&(_, rank, distance, _)| (distance, rank));
        if let Some(&(_, _, _, high)) = nearest {
            kept[first as usize] = best[high as usize];
        }
    }
    kept
}

/// For every group the document of highest priority of its component.
fn single(group: &[u32], best: &[u32], components: &mut Components, priority: &[u32]) -> Vec<u32> {
    let mut of_component = best.to_vec();
    for row in (0..group.len() as u32).filter(|&row| group[row as usize] == row) {
        let leader = &mut of_component[components.find(row) as usize];
        if priority[best[row as usize] as usize] < priority[*leader as usize] {
            *leader = best[row as usize];
        }
    }
    (0..group.len() as u32)
        .map(|row| of_component[components.find(row) as usize])
        .collect()
}

/// Union-find whose roots are the smallest members, with path halving.
struct Components(Vec<u32>);

impl Components {
    fn new(group: &[u32]) -> Self {
        Self(group.to_vec())
    }

    fn find(&mut self, mut row: u32) -> u32 {
        while self.0[row as usize] != row {
            let above = self.0[self.0[row as usize] as usize];
            self.0[row as usize] = above;
            row = above;
        }
        row
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows 0-1-2-3 in a chain with distances 3, 1, 2; row 4 equals 1; row 5 alone.
    const GROUP: [u32; 6] = [0, 1, 2, 3, 1, 5];
    const PAIRS: (&[u32], &[u32], &[u16]) = (&[0, 1, 2], &[1, 2, 3], &[3, 1, 2]);

    fn kept(priority: &[u32], linkage: Linkage) -> Vec<u32> {
        cluster(&GROUP, PAIRS, priority, linkage)
            .expect("an answer")
            .kept
    }

    #[test]
    fn star_keeps_whatever_no_kept_document_covers() {
        assert_eq!(kept(&[0, 1, 2, 3, 4, 5], Linkage::Star), [0, 0, 2, 2, 0, 5]);
        assert_eq!(kept(&[1, 2, 3, 4, 0, 5], Linkage::Star), [4, 4, 4, 3, 4, 5]);
        assert_eq!(kept(&[2, 5, 0, 1, 4, 3], Linkage::Star), [0, 2, 2, 2, 2, 5]);
    }

    #[test]
    fn single_keeps_one_of_a_cluster() {
        assert_eq!(
            kept(&[0, 1, 2, 3, 4, 5], Linkage::Single),
            [0, 0, 0, 0, 0, 5]
        );
        assert_eq!(
            kept(&[5, 4, 3, 0, 2, 1], Linkage::Single),
            [3, 3, 3, 3, 3, 5]
        );
    }

    #[test]
    fn clusters_are_numbered_by_their_first_members() {
        let clusters = cluster(&GROUP, PAIRS, &[5, 4, 3, 2, 1, 0], Linkage::Star);
        assert_eq!(clusters.expect("an answer").cluster, [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn lists_that_don_t_fit_are_refused() {
        let ranks: &[u32] = &[0, 1, 2, 3, 4, 5];
        for (group, pairs, priority) in [
            (&[0_u32, 1, 2, 3, 4][..], PAIRS, ranks),
            (&[1, 1, 2, 3, 1, 5], PAIRS, ranks),
            (&GROUP, (&[0_u32][..], &[4_u32][..], &[1_u16][..]), ranks),
            (&GROUP, (&[0][..], &[9][..], &[1][..]), ranks),
            (&GROUP, (&[0][..], &[1][..], &[][..]), ranks),
            (&GROUP, PAIRS, &[0, 1, 2, 3, 4, 4]),
            (&GROUP, PAIRS, &[0, 1, 2, 3, 4, 6]),
        ] {
            assert!(cluster(group, pairs, priority, Linkage::Star).is_err());
        }
    }
}
