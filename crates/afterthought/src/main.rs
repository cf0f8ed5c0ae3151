//! The binary: parse, run, exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    afterthought::cli::run(std::env::args_os())
}
