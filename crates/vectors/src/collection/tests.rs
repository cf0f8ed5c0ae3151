//! The search against the obvious way to do it.

use proptest::prelude::*;

use super::*;
use crate::dot::dot;

const CENTRE: [f32; DIMENSIONS] = [0.02; DIMENSIONS];

/// Random unit vectors around the centre, a few of them twice so that ties occur.
fn vectors(seed: u64, count: usize) -> Vec<[f32; DIMENSIONS]> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 16_777_216.0 - 0.5
    };
    let mut made: Vec<[f32; DIMENSIONS]> = Vec::new();
    for number in 0..count {
        if number % 7 == 6 {
            made.push(made[number / 2]);
            continue;
        }
        let vector = CENTRE.map(|centre| centre + 0.1 * next());
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        made.push(vector.map(|value| value / length));
    }
    made
}

fn filled(kernel: Kernel, vectors: &[[f32; DIMENSIONS]]) -> Vectors {
    let mut index = Vectors::with_kernel(&CENTRE, kernel);
    for (expected, vector) in (0..).zip(vectors) {
        assert_eq!(index.push(vector), expected);
    }
    index
}

fn replace(index: &mut Vectors, place: u32, vector: &[f32; DIMENSIONS]) {
    let mut bytes = Vec::new();
    pack(vector, &CENTRE, &mut bytes);
    index.replace_packed(place, &unpack(&bytes, DIMENSIONS).next().unwrap());
}

fn among(only: Option<&[u64]>) -> Wanted<'_> {
    Wanted { only, ranks: Ranks(None) }
}

/// Scores everything on its own, sorts, cuts.
fn plainly(index: &Vectors, query: &[f32; DIMENSIONS], count: usize, allowed: impl Fn(u32) -> bool) -> Vec<Hit> {
    let mut hits: Vec<Hit> = (0..index.len() as u32)
        .filter(|&number| allowed(number))
        .flat_map(|number| {
            let mut only = vec![0; number as usize / 64 + 1];
            only[number as usize / 64] = 1 << (number % 64);
            index.search(query, 1, Some(&only), None)
        })
        .collect();
    hits.sort_by(|l, r| r.score.total_cmp(&l.score).then(l.index.cmp(&r.index)));
    hits.truncate(count);
    hits
}

/// Whether each hit is as good as the expected one, but for what 8 bits cannot tell apart.
fn as_good(found: &[Hit], expected: &[Hit]) -> bool {
    let close = |(found, expected): (&Hit, &Hit)| (found.score - expected.score).abs() < 5e-4;
    found.len() == expected.len() && found.iter().zip(expected).all(close)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_search_finds_what_sorting_everything_finds(
        seed in any::<u64>(), size in 1usize..300, count in 0usize..20,
        dead in prop::collection::hash_set(0u32..300, 0..60), words in prop::collection::vec(any::<u64>(), 0..6),
    ) {
        let data = vectors(seed, size + 1);
        let plain = filled(Kernel::available()[0], &data[..size]);
        let query = &data[size];
        let is_dead = |number: u32| dead.contains(&number);
        let allowed = |number: u32| words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
        let all = plainly(&plain, query, count, |number| !is_dead(number));
        let some = plainly(&plain, query, count, |number| !is_dead(number) && allowed(number));
        let mut found = Vec::new();
        for kernel in Kernel::available() {
            let mut index = filled(kernel, &data[..size]);
            dead.iter().filter(|&&number| (number as usize) < size).for_each(|&number| index.remove(number));
            found.push((index.search(query, count, None, None), index.search(query, count, Some(&words), None)));
        }
        prop_assert!(as_good(&found[0].0, &all) && as_good(&found[0].1, &some));
        prop_assert!(found.iter().all(|found_by_kernel| *found_by_kernel == found[0]));
        prop_assert!(found[0].1.iter().all(|hit| allowed(hit.index) && !is_dead(hit.index)));
    }

    #[test]
    fn several_queries_together_find_what_each_finds_alone(
        seed in any::<u64>(), size in 1usize..300, count in 0usize..20, asked in 1usize..40,
        words in prop::collection::vec(any::<u64>(), 0..6),
    ) {
        let data = vectors(seed, size + asked);
        let index = filled(Kernel::detect(), &data[..size]);
        for only in [None, Some(words.as_slice())] {
            let alone: Vec<Vec<Hit>> = data[size..].iter().map(|query| index.search(query, count, only, None)).collect();
            let together: Vec<_> = data[size..].iter().map(|query| (*query, u32::MAX)).collect();
            prop_assert_eq!(index.search_before(&together, count, only, None), alone);
        }
    }

    #[test]
    fn scores_are_close_to_the_exact_dot_product(seed in any::<u64>()) {
        let data = vectors(seed, 50);
        for hit in filled(Kernel::detect(), &data).search(&data[3], 50, None, None) {
            prop_assert!((hit.score - dot(&data[3], &data[hit.index as usize])).abs() < 5e-4);
        }
    }
}

#[test]
fn equal_vectors_come_in_the_order_of_their_indices() {
    let vector = vectors(1, 1)[0];
    let hits = filled(Kernel::detect(), &[vector; 200]).search(&vector, 5, None, None);
    assert_eq!(hits.iter().map(|hit| hit.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn a_replaced_vector_is_found_as_the_new_one() {
    let data = vectors(2, 100);
    let mut index = filled(Kernel::detect(), &data);
    index.remove(40);
    replace(&mut index, 40, &data[99]);
    let found: Vec<u32> = index.search(&data[99], 2, None, None).iter().map(|hit| hit.index).collect();
    assert_eq!(found, [40, 99]);
}

#[test]
fn blocks_follow_one_another() {
    let data = vectors(3, 10);
    let mut index = Vectors::new(&CENTRE);
    for number in 0..BLOCK + 5 {
        index.push(&data[number % 5]);
    }
    let last = (BLOCK + 4) as u32;
    replace(&mut index, last, &data[9]);
    assert_eq!(index.len(), BLOCK + 5);
    assert_eq!(index.search(&data[9], 1, None, None)[0].index, last);
    let mut only = vec![0; BLOCK / 64 + 1];
    only[BLOCK / 64] = 1 << 3;
    assert_eq!(index.search(&data[9], 9, Some(&only), None).len(), 1);
}

#[test]
fn nothing_is_found_among_nothing() {
    assert_eq!(Vectors::new(&CENTRE).search(&CENTRE, 10, None, None), []);
    assert_eq!(filled(Kernel::detect(), &vectors(4, 9)).search(&CENTRE, 0, None, None), []);
}

#[test]
fn a_full_block_takes_at_most_493_bytes_a_vector() {
    let mut index = Vectors::new(&CENTRE);
    for _ in 0..BLOCK {
        index.push(&CENTRE);
    }
    index.shrink();
    assert!(index.bytes() <= 493 * BLOCK, "{}", index.bytes() / BLOCK);
}

#[test]
fn a_scan_shared_out_among_threads_finds_the_same() {
    let some = vectors(5, 700);
    let mut index = Vectors::new(&CENTRE);
    for number in 0..2 * BLOCK + 100 {
        index.push(&some[number % some.len()]);
    }
    let query = Query::new(&some[3], u32::MAX, &CENTRE);
    let groups = index.groups();
    let alone = |only| index.scan(std::slice::from_ref(&query), 500, among(only), groups.clone()).remove(0).into_hits();
    assert_eq!(index.scan_shared(&query, 500, among(None)).into_hits(), alone(None));
    let mut only = vec![u64::MAX; groups.end];
    only[1..1500].fill(0);
    assert_eq!(index.scan_shared(&query, 500, among(Some(&only))).into_hits(), alone(Some(&only)));
    // Every vector occurs in all three blocks, so that ties are broken across them.
    assert!(
        alone(None)
            .windows(2)
            .any(|pair| pair[0].score == pair[1].score && pair[0].index / 65_536 != pair[1].index / 65_536)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_found_before_a_rank_does_not_depend_on_the_places(
        seed in any::<u64>(), size in 2usize..300, before in 0u32..300, count in 0usize..20,
    ) {
        let data = vectors(seed, size + 1);
        // The vector of rank r lies at another place in each collection.
        let places: [Vec<u32>; 2] = [(0..size as u32).collect(), (0..size as u32).rev().collect()];
        let found = places.map(|ranks| {
            let stored: Vec<_> = ranks.iter().map(|rank| data[*rank as usize]).collect();
            let mut index = Vectors::with_kernel(&CENTRE, Kernel::detect());
            for vector in &stored {
                index.push(vector);
            }
            let hits = index.search_before(&[(data[size], before), (data[0], u32::MAX)], count, None, Some(&ranks));
            let ranked = |hits: &Vec<Hit>| hits.iter().map(|hit| (ranks[hit.index as usize], hit.score)).collect();
            hits.iter().map(ranked).collect::<Vec<Vec<(u32, f32)>>>()
        });
        prop_assert_eq!(&found[0], &found[1]);
        prop_assert!(found[0][0].iter().all(|(rank, _)| *rank < before));
        prop_assert_eq!(found[0][0].len(), count.min(size).min(before as usize));
    }
}

/// Many vectors around a few, of which a query wants those around its own.
fn many(count: usize) -> (Vec<[f32; DIMENSIONS]>, Vec<[f32; DIMENSIONS]>) {
    let (some, noise) = (vectors(6, 40), vectors(7, count));
    let near = |(number, noise): (usize, &[f32; DIMENSIONS])| {
        let mut vector = some[number % some.len()];
        vector.iter_mut().zip(noise).for_each(|(value, noise)| *value = 0.6 * *value + 0.4 * noise);
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.map(|value| value / length)
    };
    (noise.iter().enumerate().map(near).collect(), some)
}

#[test]
fn a_first_look_loses_hardly_anything() {
    let (data, queries) = many(GLANCED_VECTORS + 1_000);
    let index = filled(Kernel::detect(), &data);
    let mut lost = 0;
    for query in &queries {
        let found = index.search(query, 60, None, None);
        let exact = index.search_before(&[(*query, u32::MAX)], 60, None, None).remove(0);
        assert_eq!(found[0], exact[0]);
        lost += exact.iter().filter(|hit| !found.contains(hit)).count();
    }
    assert!(lost * 200 <= queries.len() * 60, "{lost}");
}

#[test]
fn what_a_first_look_finds_depends_neither_on_kernel_nor_places_nor_the_dead() {
    let (data, queries) = many(GLANCED_VECTORS);
    let allowed = vec![0x7FFF_FFFF_FFFF_FFFE; data.len() / 64];
    let some = |index: &Vectors, only, ranks| index.search(&queries[1], 60, only, ranks);
    let of_detected = some(&filled(Kernel::detect(), &data), None, None);
    for kernel in Kernel::available() {
        assert_eq!(some(&filled(kernel, &data), None, None), of_detected, "{}", kernel.name());
    }
    let last = data.len() as u32 - 1;
    let reversed: Vec<_> = data.iter().rev().copied().collect();
    let ranks: Vec<u32> = (0..=last).rev().collect();
    let mut index = filled(Kernel::detect(), &reversed);
    for vector in &data[..500] {
        let dead = index.push(vector);
        index.remove(dead);
    }
    let found: Vec<Hit> =
        some(&index, None, Some(&ranks)).iter().map(|hit| Hit { index: ranks[hit.index as usize], ..*hit }).collect();
    assert_eq!(found, of_detected);
    let among_some = some(&index, Some(&allowed), None);
    assert!(among_some.iter().all(|hit| !matches!(hit.index % 64, 0 | 63)) && among_some.len() == 60);
}
