//! Speed of the models and of the vector search: `cargo bench --bench embedding`.
//!
//! CPU time of all threads, the least of many runs, because other processes only ever add to it. The vectors to search are made from
//! real ones (single sentences) by mixing and noise. With the names of files of texts, one a line, those are
//! encoded instead, and the recall of the search is measured on them: `cargo bench --bench embedding -- FILE…`.
#![expect(clippy::print_stdout, reason = "a program for measuring prints, and stops at the first surprise")]

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

use afterthought_encoder::{DIMENSIONS, Encoder, Judge, Marker, Matter};
use vectors::kernel::Kernel;
use vectors::{Vectors, pack, unpack};

type Vector = [f32; DIMENSIONS];

/// As many as the service asks for.
const BEST: usize = 60;

const SENTENCES: [&str; 12] = [
    "Ana moved to Lisbon in spring and works from home on Fridays.",
    "The importer retries three times, then gives the job up.",
    "Remember to renew the passport before the trip to Japan.",
    "We chose SQLite because one file per account is easy to back up.",
    "My daughter is allergic to peanuts and penicillin.",
    "The quarterly report is due on the last Thursday of March.",
    "He prefers tea over coffee, without sugar.",
    "The dentist appointment was moved to Monday at nine.",
    "Heat transfer in laminar flow depends on the wall temperature.",
    "She is training for her second marathon in October.",
    "The deploy failed because the certificate had expired.",
    "Our landlord agreed to repaint the kitchen in green.",
];

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let encoder = Encoder::load();
    encoding();
    let texts: Vec<String> = files
        .iter()
        .flat_map(|file| {
            std::fs::read_to_string(file).expect("the file is readable").lines().map(String::from).collect::<Vec<_>>()
        })
        .collect();
    let seeds: Vec<Vector> = if texts.is_empty() {
        SENTENCES.iter().map(|text| encoder.embed(text)).collect()
    } else {
        texts.iter().map(|text| encoder.embed(text)).collect()
    };
    println!("\n| vectors | search | CPU-ms | recall@60 of float |\n|---|---|---|---|");
    if !texts.is_empty() {
        searching(&encoder, &seeds, seeds.len());
    }
    searching(&encoder, &seeds, 100_000);
    searching(&encoder, &seeds, 1_000_000);
}

fn encoding() {
    println!(
        "| kernel | 12 tokens, CPU-ms | 60 tokens | 256 tokens | an answer judged | an edit marked |\n|---|---|---|---|---|---|"
    );
    for kernel in Kernel::available() {
        let repeats = if kernel.name() == "plain" { 3 } else { 40 };
        let encoder = Encoder::with_kernel(kernel);
        let encoded = [12, 60, 256].map(|count| {
            let mut tokens = vec![2773; count];
            (tokens[0], tokens[count - 1]) = (101, 102);
            least_ms(repeats, || encoder.embed_tokens(&tokens))
        });
        let (judge, marker) = (Judge::with_kernel(Matter::Answers, kernel), Marker::with_kernel(kernel));
        let judged = least_ms(repeats, || judge.odds("When is the dentist appointment?", SENTENCES[7]));
        let marked = least_ms(repeats, || marker.mark(SENTENCES[7], "The dentist called, it's at ten now."));
        let cells = encoded.into_iter().chain([judged, marked]).map(|time| format!("{time:.2}"));
        println!("| {} | {} |", kernel.name(), cells.collect::<Vec<_>>().join(" | "));
    }
}

fn searching(encoder: &Encoder, seeds: &[Vector], count: usize) {
    // The last seeds are the queries, and no part of what is searched; fewer where the float search takes long.
    let most = if count > 100_000 { 20 } else { 100 };
    let queries = &seeds[seeds.len() - (seeds.len() / 10).clamp(1, most)..];
    let seeds = &seeds[..seeds.len() - queries.len()];
    let mut chance = Chance(7);
    let mut index = Vectors::new(encoder.centre());
    // The best of each query by floats, kept up to date while the vectors go by.
    let mut exact: Vec<Vec<(f32, u32)>> = vec![Vec::new(); queries.len()];
    for number in 0..count {
        let vector = if number < seeds.len() { seeds[number] } else { mix(seeds, &mut chance) };
        let position = index.push(&vector);
        for (query, best) in queries.iter().zip(&mut exact) {
            best.push((dot(query, &vector), position));
            if best.len() == 2_000 || number + 1 == count {
                best.sort_by(|l, r| r.0.total_cmp(&l.0).then(l.1.cmp(&r.1)));
                best.truncate(BEST);
            }
        }
    }
    let recall = |search: &dyn Fn(&Vector) -> Vec<u32>| {
        let shares = queries.iter().zip(&exact).map(|(query, exact)| {
            let found = search(query);
            exact.iter().filter(|(_, position)| found.contains(position)).count() as f64 / exact.len() as f64
        });
        shares.sum::<f64>() / queries.len() as f64
    };
    let row = |name: &str, search: &dyn Fn(&Vector) -> Vec<u32>| {
        let time = least_ms(30, || search(&queries[0]));
        println!("| {count} | {name} | {time:.2} | {:.4} |", recall(search));
    };
    row("one that waits", &|query| index.search(query, BEST, None, None).iter().map(|hit| hit.index).collect());
    let tenth: Vec<u64> = (0..count.div_ceil(64)).map(|_| chance.sparse_word()).collect();
    let time = least_ms(30, || index.search(&queries[0], BEST, Some(&tenth), None));
    println!("| {count} | a tenth allowed | {time:.2} | |");
    for together in [4, 16] {
        let many: Vec<(Vector, u32)> = queries.iter().cycle().take(together).map(|query| (*query, u32::MAX)).collect();
        let time = least_ms(10, || index.search_before(&many, BEST, None, None)) / many.len() as f64;
        println!("| {count} | each of {together} queries in one pass | {time:.2} | |");
    }
    index.shrink();
    println!("| {count} | bytes a vector | {:.1} | |", index.bytes() as f64 / count as f64);
    let mut bytes = Vec::new();
    pack(&queries[0], encoder.centre(), &mut bytes);
    let time = least_ms(3, || {
        let mut taken_in = Vectors::new(encoder.centre());
        for _ in 0..count {
            unpack(&bytes, DIMENSIONS).for_each(|vector| {
                black_box(taken_in.push_packed(&vector));
            });
        }
        taken_in
    });
    println!("| {count} | all taken in, as they were packed | {time:.0} | |");
}

/// The exact dot product, unlike `vectors::dot` summed in lanes, so that it takes minutes rather than an hour in all.
fn dot(left: &Vector, right: &Vector) -> f32 {
    let mut lanes = [0.0; 16];
    for (left, right) in left.as_chunks::<16>().0.iter().zip(right.as_chunks::<16>().0) {
        for ((lane, l), r) in lanes.iter_mut().zip(left).zip(right) {
            *lane += l * r;
        }
    }
    lanes.iter().sum()
}

/// A new vector between two of the seeds, with some noise.
fn mix(seeds: &[Vector], chance: &mut Chance) -> Vector {
    let left = &seeds[chance.below(seeds.len())];
    let right = &seeds[chance.below(seeds.len())];
    let share = 0.6 + 0.4 * chance.unit();
    let mut vector = [0.0; DIMENSIONS];
    for ((value, l), r) in vector.iter_mut().zip(left).zip(right) {
        *value = share * l + (1.0 - share) * r + 0.05 * (chance.unit() - 0.5);
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.map(|value| value / length)
}

/// A small generator of pseudo-random numbers, the same ones in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0
    }

    fn below(&mut self, end: usize) -> usize {
        ((u64::from(self.next()) * end as u64) >> 32) as usize
    }

    /// A word with about a tenth of its bits set.
    fn sparse_word(&mut self) -> u64 {
        (0..64).fold(0, |word, bit| word | u64::from(self.below(10) == 0) << bit)
    }
}

fn least_ms<T>(repeats: usize, mut run: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..repeats {
        let start = cpu_ms();
        black_box(run());
        least = least.min(cpu_ms() - start);
    }
    least
}

/// CPU time of this process so far.
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
