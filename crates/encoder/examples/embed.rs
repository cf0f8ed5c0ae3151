//! Encodes texts from standard input, to compare the encoder with others.
//!
//! One text a line, with backslash, line feed and carriage return written as `\\`, `\n` and `\r`. For each text a line
//! comes back: `embed tokens` writes the token ids, `embed vectors` the ids, a tab and the vector; `embed time 20` encodes
//! the text 20 times and writes the number of tokens, a tab and the least CPU time in milliseconds. One more argument
//! (`plain`, `avx2`, …) selects the kernel.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use rustix::time::{ClockId, clock_gettime};

use afterthought_encoder::Encoder;
use vectors::kernel::Kernel;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().ok_or("say `tokens`, `vectors` or `time COUNT`")?;
    let repeats: u32 = if mode == "time" { arguments.next().ok_or("time needs a count")?.parse()? } else { 0 };
    let kernel = match arguments.next() {
        None => Kernel::detect(),
        Some(name) => Kernel::available()
            .into_iter()
            .find(|kernel| kernel.name() == name)
            .ok_or_else(|| format!("this processor has no kernel `{name}`"))?,
    };
    let encoder = Encoder::with_kernel(kernel);
    let mut output = BufWriter::new(stdout().lock());
    for line in stdin().lock().split(b'\n') {
        let text = unescape(&String::from_utf8(line?)?);
        let tokens = encoder.tokenize(&text);
        if mode == "time" {
            let mut least = f64::INFINITY;
            for _ in 0..repeats {
                let start = cpu_ms();
                std::hint::black_box(encoder.embed(&text));
                least = least.min(cpu_ms() - start);
            }
            writeln!(output, "{}\t{least:.4}", tokens.len())?;
            continue;
        }
        let ids: Vec<String> = tokens.iter().map(u32::to_string).collect();
        if mode == "tokens" {
            writeln!(output, "{}", ids.join(" "))?;
            continue;
        }
        let vector: Vec<String> = encoder.embed_tokens(&tokens).iter().map(f32::to_string).collect();
        writeln!(output, "{}\t{}", ids.join(" "), vector.join(" "))?;
    }
    Ok(output.flush()?)
}

/// CPU time of this process so far.
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn unescape(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            other => other,
        });
    }
    text
}
