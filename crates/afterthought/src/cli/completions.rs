//! `afterthought completions` and `afterthought man`: what a shell and `man` need to know, made from the arguments themselves.

use clap::{Args, Command};
use clap_complete::Shell;

use super::output::{Output, explain};

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  afterthought completions bash > ~/.local/share/bash-completion/completions/afterthought"
)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  afterthought man > afterthought.1")]
pub(super) struct Man;

impl Completions {
    pub(super) fn run(&self, mut command: Command, output: &mut Output) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "afterthought", &mut script);
        output.results().write_all(&script).map_err(explain)
    }
}

impl Man {
    /// One page: the program, then each of its commands.
    pub(super) fn run(&self, mut command: Command, output: &mut Output) -> anyhow::Result<()> {
        command.build();
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page)?;
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
            let man = clap_mangen::Man::new(inner.clone());
            page.extend(format!(".SH COMMAND {}\n", inner.get_name().to_uppercase()).bytes());
            man.render_description_section(&mut page)?;
            man.render_options_section(&mut page)?;
        }
        output.results().write_all(&page).map_err(explain)
    }
}
