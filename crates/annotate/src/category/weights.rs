//! The weights of the category model, written by `examples/train_category.rs`; do not edit.
//!
//! - One row for each feature, in their order; one column for each category: task, idea, observation, fact.

pub(super) const WEIGHTS: &[[f32; 4]] = &[
    // always
    [0.05, -0.27, 0.74, -0.52],
    // box or to-do mark
    [0.56, -0.14, -0.31, -0.12],
    // label or first word names an idea
    [-0.65, 3.00, -0.89, -1.45],
    // another label
    [-1.44, -0.58, -0.39, 2.41],
    // opens with a request
    [2.12, -0.76, 0.08, -1.45],
    // opens with a verb and its object
    [1.46, -0.27, -0.83, -0.36],
    // opens with a foreign infinitive
    [1.71, -0.61, -1.09, -0.01],
    // ends with a German infinitive
    [1.25, 0.37, -0.56, -1.06],
    // a later clause is a request
    [2.31, -0.56, -0.46, -1.29],
    // asks someone to act
    [0.46, -0.43, -0.02, -0.02],
    // obligation
    [3.53, -0.56, -1.70, -1.27],
    // obligation of the writer
    [0.29, -0.11, -0.13, -0.05],
    // reminder
    [1.53, -0.20, -0.55, -0.79],
    // promise or wait
    [0.39, -0.01, -0.01, -0.38],
    // deadline
    [0.77, -0.96, 0.23, -0.03],
    // time ahead
    [0.18, -0.19, 0.32, -0.31],
    // bare appointment
    [1.17, -0.20, -0.15, -0.83],
    // hedge
    [-0.54, 1.80, -0.54, -0.71],
    // opens with a hedge
    [-0.54, 1.80, -0.54, -0.71],
    // could, would or might
    [-0.68, 2.75, -1.34, -0.73],
    // opens with could or might
    [-0.22, 0.55, -0.21, -0.12],
    // would be, could be
    [-0.23, 1.42, -0.52, -0.68],
    // supposition
    [-0.34, 1.32, -0.66, -0.32],
    // thinking about something
    [-0.21, 1.30, -0.10, -0.99],
    // alternative
    [-0.17, 1.83, -1.26, -0.40],
    // question mark
    [0.71, 2.48, -1.93, -1.26],
    // asks for information
    [2.28, -0.81, -0.80, -0.67],
    // asks for a decision
    [-0.52, 0.73, -0.12, -0.09],
    // perception
    [-0.15, -0.24, 1.01, -0.61],
    // opens with a past form
    [-0.06, -0.73, 1.50, -0.71],
    // early past form
    [-1.36, -0.19, 0.81, 0.74],
    // past forms
    [-1.31, -0.37, 2.41, -0.72],
    // writer acted
    [0.16, 0.39, 0.23, -0.78],
    // time just past
    [0.12, -0.58, 1.76, -1.30],
    // since then and still
    [0.21, -0.24, 1.85, -1.83],
    // in a year
    [-0.18, -0.12, -1.35, 1.65],
    // third person in the present
    [-0.78, 0.01, -0.88, 1.65],
    // a noun and its verb in the present
    [0.31, -1.16, 0.12, 0.72],
    // someone in the present
    [0.46, -0.56, 0.16, -0.06],
    // again and again
    [-1.00, 0.17, 2.05, -1.22],
    // judgement
    [0.27, -0.26, 0.55, -0.57],
    // is or are
    [-0.59, 0.19, -0.20, 0.61],
    // early is or are
    [-0.08, -0.24, -1.67, 1.99],
    // lasting state
    [-0.27, -0.53, -0.39, 1.19],
    // lasting state, no past form
    [-0.16, -0.61, -0.16, 0.93],
    // habit
    [-0.85, 0.09, -0.32, 1.08],
    // preference
    [-0.46, 0.28, -1.09, 1.27],
    // whose it is
    [-0.38, -0.77, 0.17, 0.98],
    // number or code
    [0.47, -1.22, -0.71, 1.46],
    // equals sign
    [-0.63, -0.53, 0.18, 0.97],
    // a few words
    [0.99, 0.50, -1.24, -0.26],
    // no verb at all
    [-0.58, 0.11, 0.00, 0.47],
    // opens with a or an
    [-0.28, 1.31, -0.62, -0.40],
    // many words
    [0.11, 0.37, -0.32, -0.17],
];
