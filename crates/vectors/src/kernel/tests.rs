//! Every kernel of this processor against the plain one, on random input and on the extremes.

use proptest::prelude::*;

use super::*;

/// A tile's worth of input, with the number of rows known only at run time.
struct TileTask<'a> {
    rows: &'a [u8],
    height: usize,
    panel: &'a [u8],
}

impl Task for TileTask<'_> {
    type Output = Vec<i32>;

    fn run<S: InstructionSet>(self, set: S) -> Vec<i32> {
        fn sums<const ROWS: usize>(task: &TileTask, set: impl InstructionSet) -> Vec<i32> {
            let mut sums = [[-1; PANEL]; ROWS];
            set.tile(task.rows, task.panel, &mut sums);
            sums.concat()
        }
        match self.height {
            1 => sums::<1>(&self, set),
            2 => sums::<2>(&self, set),
            3 => sums::<3>(&self, set),
            4 => sums::<4>(&self, set),
            5 => sums::<5>(&self, set),
            _ => sums::<TILE_ROWS>(&self, set),
        }
    }
}

struct DotsTask<'a> {
    query: &'a AlignedVector,
    vectors: &'a [AlignedVector],
}

impl Task for DotsTask<'_> {
    type Output = Vec<i32>;

    fn run<S: InstructionSet>(self, set: S) -> Vec<i32> {
        let mut sums = vec![-1; self.vectors.len()];
        set.dots(self.query, self.vectors, &mut sums);
        sums
    }
}

struct TogetherTask<'a> {
    queries: &'a Together,
    vectors: &'a [AlignedVector],
}

impl Task for TogetherTask<'_> {
    type Output = Vec<[i32; TOGETHER]>;

    fn run<S: InstructionSet>(self, set: S) -> Vec<[i32; TOGETHER]> {
        let mut sums = vec![[-1; TOGETHER]; self.vectors.len()];
        set.dots_together(self.queries, self.vectors, &mut sums);
        sums
    }
}

struct SketchesTask<'a> {
    query: &'a Planes,
    sketches: &'a [Sketches],
}

impl Task for SketchesTask<'_> {
    type Output = Vec<[i32; SKETCHED_TOGETHER]>;

    fn run<S: InstructionSet>(self, set: S) -> Self::Output {
        let mut sums = vec![[-1; SKETCHED_TOGETHER]; self.sketches.len()];
        set.sums_below(self.query, self.sketches, &mut sums);
        sums
    }
}

/// What a tile is by definition, straight from the layout of a panel.
fn expected_tile(rows: &[u8], height: usize, panel: &[u8]) -> Vec<i32> {
    let inner = rows.len() / height;
    let product = |row: usize, column: usize, k: usize| {
        let weight = panel[k / 4 * 4 * PANEL + column * 4 + k % 4].cast_signed();
        i32::from(rows[row * inner + k]) * i32::from(weight)
    };
    let sum = |row, column| (0..inner).map(|k| product(row, column, k)).sum();
    (0..height).flat_map(|row| (0..PANEL).map(move |column| sum(row, column))).collect()
}

fn weight() -> impl Strategy<Value = u8> {
    prop_oneof![8 => -MAX_WEIGHT..=MAX_WEIGHT, 1 => Just(-MAX_WEIGHT), 1 => Just(MAX_WEIGHT)]
        .prop_map(i8::cast_unsigned)
}

fn row() -> impl Strategy<Value = AlignedVector> {
    let component = prop_oneof![8 => -127i8..=127, 1 => Just(-127i8), 1 => Just(127i8)];
    prop::collection::vec(component, DIMENSIONS)
        .prop_map(|values| AlignedVector(values.try_into().expect("as many as asked")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tiles_are_the_same_on_every_kernel(
        (height, rows, panel) in (1..=TILE_ROWS, 1usize..100).prop_flat_map(|(height, steps)| (
            Just(height),
            prop::collection::vec(any::<u8>(), height * steps * 4),
            prop::collection::vec(weight(), steps * 4 * PANEL),
        )),
    ) {
        let expected = expected_tile(&rows, height, &panel);
        for kernel in Kernel::available() {
            let found = kernel.run(TileTask { rows: &rows, height, panel: &panel });
            prop_assert_eq!(&found, &expected, "{}", kernel.name());
        }
    }

    #[test]
    fn dot_products_are_the_same_on_every_kernel(query in row(), vectors in prop::collection::vec(row(), 0..20)) {
        let expected = Kernel(Level::Plain).run(DotsTask { query: &query, vectors: &vectors });
        for kernel in Kernel::available() {
            let found = kernel.run(DotsTask { query: &query, vectors: &vectors });
            prop_assert_eq!(&found, &expected, "{}", kernel.name());
        }
    }

    #[test]
    fn dot_products_of_several_queries_are_those_of_each(
        queries in prop::collection::vec(row(), 0..=TOGETHER), vectors in prop::collection::vec(row(), 0..20),
    ) {
        let together = Together::of(queries.iter());
        for kernel in Kernel::available() {
            let found = kernel.run(TogetherTask { queries: &together, vectors: &vectors });
            for (place, query) in queries.iter().enumerate() {
                let expected = Kernel(Level::Plain).run(DotsTask { query, vectors: &vectors });
                let found: Vec<i32> = found.iter().map(|sums| sums[place]).collect();
                prop_assert_eq!(found, expected, "{}", kernel.name());
            }
        }
    }
}

#[test]
fn extremes_do_not_saturate() {
    let rows = vec![255; 1536];
    let together = Together::of([AlignedVector([127; DIMENSIONS]); TOGETHER].iter());
    for (component, sum) in [(127, 127 * 127 * 384), (-127, -127 * 127 * 384)] {
        for kernel in Kernel::available() {
            let found =
                kernel.run(TogetherTask { queries: &together, vectors: &[AlignedVector([component; DIMENSIONS])] });
            assert_eq!(found, [[sum; TOGETHER]], "{}", kernel.name());
        }
    }
    for extreme in [MAX_WEIGHT, -MAX_WEIGHT] {
        let panel = vec![extreme.cast_unsigned(); 1536 * PANEL];
        for kernel in Kernel::available() {
            let sums = kernel.run(TileTask { rows: &rows, height: 1, panel: &panel });
            assert_eq!(sums, [255 * 1536 * i32::from(extreme); PANEL], "{}", kernel.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn sums_over_sketches_are_those_of_the_components(
        query in prop::collection::vec(-8_i8..8, DIMENSIONS),
        words in prop::collection::vec(any::<[[u64; SKETCHED_TOGETHER]; DIMENSIONS / 64]>(), 0..20),
    ) {
        let query: [i8; DIMENSIONS] = query.try_into().unwrap();
        let sketches: Vec<Sketches> = words.into_iter().map(Sketches).collect();
        let is_below = |sketches: &Sketches, lane: usize, place: usize| sketches.0[place / 64][lane] >> (place % 64) & 1 == 1;
        let sum = |sketches: &Sketches, lane: usize| {
            (0..DIMENSIONS).filter(|place| is_below(sketches, lane, *place)).map(|place| i32::from(query[place])).sum()
        };
        let expected: Vec<[i32; SKETCHED_TOGETHER]> =
            sketches.iter().map(|sketches| std::array::from_fn(|lane| sum(sketches, lane))).collect();
        for kernel in Kernel::available() {
            let found = kernel.run(SketchesTask { query: &Planes::of(&query), sketches: &sketches });
            prop_assert_eq!(&found, &expected, "{}", kernel.name());
        }
    }
}
