//! What is said to the database: every statement the program can send stands in a list, so that a test can read all of them.

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) sql: &'static str,
    /// What it looks at; read by the test that holds statements to the rules.
    #[cfg_attr(not(test), expect(dead_code, reason = "a statement says to whoever reads it what it is allowed"))]
    pub(crate) scope: Scope,
}

/// What a statement looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One account, which is its first parameter.
    Account,
    /// The small tables that belong to no account.
    Shared,
    /// All accounts; never asked for by a request.
    AllAccounts,
}

/// Makes statements, and a list of all of them for the test.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident, $scope:ident: $sql:expr;)+) => {
        $($(#[$doc])* static $name: crate::statement::Statement = crate::statement::Statement {
            sql: $sql,
            scope: crate::statement::Scope::$scope,
        };)+

        /// Every statement of this file.
        #[cfg(test)]
        pub(crate) static STATEMENTS: &[&crate::statement::Statement] = &[$(&$name),+];
    };
}
pub(crate) use statements;
