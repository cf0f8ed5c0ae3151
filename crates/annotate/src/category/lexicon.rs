//! The words and phrases the features ask for, sorted by what they do in a sentence.
//!
//! - Entries are folded and parted by spaces; an underscore joins the words of a phrase.
//! - English comes first, then the German, French and Spanish entries of the same use.
//! - One look-up tells all the sets a word or a phrase belongs to, so the cost does not grow with the number of sets.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use text::Language;
use text::calendar::{self, Name, Spelling};

/// What a word or phrase does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Set {
    /// A verb as requests begin with it.
    Verb,
    /// An irregular past form.
    Past,
    /// Says nothing at the start.
    Filler,
    IdeaNoun,
    TaskLabel,
    Subject,
    /// Follows a verb that has an object.
    ObjectOpener,
    Obligation,
    OwnObligation,
    Reminder,
    Pending,
    DeadlineOpener,
    DeadlineTime,
    Ahead,
    Hedge,
    Conditional,
    SoftWish,
    Supposition,
    Musing,
    Alternative,
    Decision,
    QuestionWord,
    Perception,
    Recent,
    Again,
    Judgement,
    Copula,
    State,
    Habit,
    Preference,
    Owner,
    ActedOn,
    /// Before a word that only looks like a past form.
    NoPastAfter,
    /// After a noun that could be a verb.
    NounMark,
    Weekday,
    GermanWord,
    GermanFinite,
    FalseInfinitive,
    Article,
    /// Before a noun.
    Determiner,
    /// Asks someone else to act.
    Plea,
    /// Since then, and still.
    Lasting,
}

/// The sets that begin at a word, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Sets(u64);

impl Sets {
    pub(super) fn contains(self, set: Set) -> bool {
        self.0 & (1 << set as u8) != 0
    }
}

/// The sets of the entries that begin at the first of `words`.
pub(super) fn sets(words: &[String]) -> Sets {
    let Some((first, rest)) = words.split_first() else { return Sets::default() };
    let mut found = Sets::default();
    for (more, set) in ENTRIES.get(first.as_str()).into_iter().flatten() {
        if more.len() <= rest.len() && more.iter().zip(rest).all(|(wanted, word)| wanted == word) {
            found.0 |= 1 << *set as u8;
        }
    }
    found
}

/// Whether `folded` is a verb as requests begin with it.
pub(super) fn is_verb(folded: &str) -> bool {
    ENTRIES.get(folded).is_some_and(|entries| entries.iter().any(|(more, set)| more.is_empty() && *set == Set::Verb))
}

/// The words of an entry after its first, and the set it is in.
type Rest = (Vec<&'static str>, Set);

static ENTRIES: LazyLock<FxHashMap<&'static str, Vec<Rest>>> = LazyLock::new(|| {
    let mut entries: FxHashMap<&'static str, Vec<Rest>> = FxHashMap::default();
    let data = [(Set::Verb, include_str!("data/verbs.txt")), (Set::Past, include_str!("data/pasts.txt"))];
    for (set, list) in data.into_iter().chain(LISTS.iter().copied()) {
        for entry in list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_ascii_whitespace) {
            let mut words = entry.split('_');
            if let Some(first) = words.next() {
                entries.entry(first).or_default().push((words.collect(), set));
            }
        }
    }
    for (set, word) in dates() {
        entries.entry(word).or_default().push((Vec::new(), set));
    }
    entries
});

/// The names of the calendar, with the sets they are in. The weights are trained on these: with others, they would have to be
/// trained anew.
fn dates() -> impl Iterator<Item = (Set, &'static str)> {
    let is_month = |name: &Name| name.language == Language::English && name.spelling == Spelling::Full;
    let weekdays = calendar::weekdays().filter(is_weekday).map(|name| (Set::Weekday, name.word));
    let deadlines = calendar::weekdays().filter(is_deadline).chain(calendar::months().filter(is_month));
    weekdays.chain(deadlines.map(|name| (Set::DeadlineTime, name.word)))
}

fn is_weekday(name: &Name) -> bool {
    match (name.language, name.spelling) {
        (Language::English | Language::German, Spelling::Full) => true,
        (Language::English, Spelling::Short) => name.word.len() == 3,
        (Language::French | Language::Spanish, Spelling::Full) => matches!(name.number, 1 | 2 | 4 | 5),
        _ => false,
    }
}

fn is_deadline(name: &Name) -> bool {
    match (name.language, name.spelling) {
        (Language::English, Spelling::Full) => true,
        (Language::English, Spelling::Short) => name.word.len() == 3,
        (Language::German | Language::French | Language::Spanish, Spelling::Full) => matches!(name.number, 1 | 5),
        _ => false,
    }
}

const LISTS: &[(Set, &str)] = &[
    (
        Set::Filler,
        "hmm hm yeah yep ok okay so well hey oh btw then also and but just please kindly still honestly funny bitte by_the_way",
    ),
    (
        Set::IdeaNoun,
        "idea ideas idee idees concept proposal potential possible possibility alternative option thought tagline pitch brainstorm story \
         app blog podcast theme design suggestion",
    ),
    (
        Set::TaskLabel,
        "todo to-do fixme task tasks action reminder aufgabe erinnerung tarea rappel vergessen errands next_up next_steps before_release shopping",
    ),
    (
        Set::Subject,
        "i we he she they it you ich wir er sie es je tu il elle on nous vous ils elles yo el ella nosotros ellos",
    ),
    (
        Set::ObjectOpener,
        "the a an my our his her their this that these some new all it them up out off back for to with if who why how whether about in on \
         from two more another everyone someone something old next",
    ),
    (
        Set::Obligation,
        "need_to needs_to have_to has_to must gotta got_to should ought_to supposed_to make_sure let's ich_muss wir_mussen muss_noch il_faut \
         faut dois doit hay_que tengo_que debo hace_falta needs_a soll sollte sollten please bitte can_you could_you better_do had_better",
    ),
    (
        Set::OwnObligation,
        "i_need_to i_really_need i_still_need we_need_to i_have_to we_have_to i_should we_should i_must we_must someone_has_to i_gotta ich_muss \
         wir_mussen tengo_que je_dois",
    ),
    (
        Set::Reminder,
        "don't_forget do_not_forget never_forget remember_to remind_me must_remember nicht_vergessen unbedingt ne_pas_oublier penser_a no_olvidar \
         recordar look_into find_out follow_up check_if check_whether get_round_to get_around_to",
    ),
    (Set::Pending, "promised waiting_on waiting_for still_needs due deadline pending action_item overdue outstanding"),
    (Set::DeadlineOpener, "by before until due within bis avant antes after"),
    (Set::DeadlineTime, "noon tonight tomorrow end the next ende del"),
    (Set::Ahead, "tomorrow morgen demain manana next_week next_month this_weekend after_work"),
    (Set::Hedge, "maybe perhaps possibly vielleicht eventuell peut-etre quizas quiza forse tal_vez"),
    (
        Set::Conditional,
        "could would might couldn't wouldn't konnte konnten ware pourrait pourrions pourrais serait podria podriamos podrias seria estaria man_musste man_sollte",
    ),
    (Set::SoftWish, "would_be could_be might_be would_love wouldn't_it would_make ware_es i'd_love"),
    (
        Set::Supposition,
        "what_if how_about what_about imagine i_wonder wonder_whether wonder_if why_not why_don't_we et_si y_si was_ware wie_ware suppose \
         consider what_would",
    ),
    (
        Set::Musing,
        "thinking_about thinking_of toying_with been_thinking thought_of would_love worth one_option one_way some_day someday",
    ),
    (Set::Alternative, "instead_of rather_than instead alternatively or_even statt au_lieu en_vez"),
    (
        Set::Decision,
        "should_we should_i could would why_don't why_not what_if how_about what_about can_we shall_we et_si y_si",
    ),
    (
        Set::QuestionWord,
        "what's where's who's when's how's when where who whom whose which how what did does do is are has have was were wann wo wer wie quand ou qui cuando donde quien",
    ),
    (
        Set::Perception,
        "noticed saw felt heard observed seems seemed looked looks sounded sounds smelled smelt watched realised realized turns_out surprised \
         found enjoyed noticing weird strange smell appeared aufgefallen bemerkt gesehen gehort remarque vu senti note vi vimos",
    ),
    (
        Set::Recent,
        "today tonight yesterday heute gestern hier hoy ayer anoche this_morning last_night last_week this_afternoon this_evening all_afternoon \
         all_day just_now ce_matin hier_soir am_samstag am_sonntag seit_dem after_the earlier",
    ),
    (Set::Again, "again lately keeps keep getting wieder encore whenever more_often first_time recently"),
    (
        Set::Judgement,
        "great incredible wonderful terrible amazing best worse better slower faster tired annoyed calmer loud dizzy stronger relieved quiet easy \
         weird badly schlecht increible ziemlich exhausted delicious awful lovely fun",
    ),
    (Set::Copula, "is are am ist sind bin est sont suis es son esta estan soy i'm it's that's there's"),
    (
        Set::State,
        "lives live works work likes like prefers prefer hates hate uses use has have runs takes take eats drinks belongs costs closes opens ends \
         leaves returns reports speaks speak plays drives knows owns goes go contains means stands collected called named allergic responsible \
         born reserved written stored held wohnt arbeitet mag kommt heisst steht liegt hat habite travaille s'appelle ferme ouvre vive trabaja \
         abre tiene cierra llama happen keeps needs wants supports requires sleeps wears belonged need you_need afraid can you_can",
    ),
    (
        Set::Habit,
        "always never usually often every daily immer nie toujours siempre nunca normally default normal only each keine once_daily",
    ),
    (
        Set::Preference,
        "like likes love loves prefer prefers hate hates favourite favorite allergic vegetarian vegan mag aime gusta don't doesn't",
    ),
    (Set::Owner, "my our his her their mein meine unser unsere mon ma notre mi nuestra nuestro"),
    (
        Set::ActedOn,
        "i_was we_was i_were we_were i_had we_had i_went we_went i_saw we_saw i_felt we_felt i_got we_got i_met we_met i_heard we_heard i_found \
         i_lost i_ran we_ran i_took we_took i_made we_made i_slept we_slept i_ate we_ate habe_ich ich_habe wir_haben j'ai nous_avons",
    ),
    (Set::NoPastAfter, "is are be been being am a an the to can will would could should my our i'm it's"),
    (Set::NounMark, "is are was were has had took failed seems tastes of went looks"),
    (
        Set::GermanWord,
        "der die das den dem und mit fur bis am an alle wegen vom zum zur auf ein eine nicht noch im von bei",
    ),
    (Set::GermanFinite, "ich wir er sie es ist sind hat haben habe war wird wenn man konnte konnten wurde wohnt steht"),
    (
        Set::FalseInfinitive,
        "after never over under other another water number paper dinner summer winter weather whether together better later rather either neither \
         sister brother mother father daughter letter order offer computer server user customer manager layer cancer oder aber immer unser dieser \
         welcher lieber finger dollar similar year near calendar super peter center amber oliver teacher power cover river corner member clear \
         popular sugar solar guitar",
    ),
    (Set::Article, "a an"),
    (
        Set::Determiner,
        "the a an my our his her their this that each every some no der die das mein meine unser le la les mon ma el los las mi",
    ),
    (Set::Plea, "could_you can_you would_you will_you konntest_du kannst_du peux-tu pouvez-vous puedes podrias"),
    (
        Set::Lasting,
        "has_been have_been hasn't haven't i've_been we've_been he's_been she's_been it's_been ever_since since_the since_my since_last seit_dem \
         depuis_le desde_el since_yesterday",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn sets_of(text: &str) -> Sets {
        sets(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_phrase_begins_at_its_first_word() {
        assert!(sets_of("need to go").contains(Set::Obligation));
        assert!(!sets_of("need a rest").contains(Set::Obligation));
        assert!(!sets_of("need").contains(Set::Obligation));
    }

    #[test]
    fn a_word_may_do_several_things() {
        let could = sets_of("could");
        assert!(could.contains(Set::Conditional) && could.contains(Set::Decision));
    }
}
