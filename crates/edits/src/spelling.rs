//! Corrects misspelt words: those a request spells out, and those everybody misspells.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use text::slips;

use super::{
    command::{Operand, Which},
    dictionary,
    locate::in_case_of,
    refusal::Refusal,
    replace, sentence,
    small_words::is_small,
};

/// Corrects the one word of `text` that is most like `right`.
pub(super) fn spell(text: &str, right: &Operand) -> Result<String, Refusal> {
    let wanted: Vec<char> = right.text.to_lowercase().chars().collect();
    if wanted.len() < 3 || wanted.len() > 40 || right.text.contains(char::is_whitespace) {
        return Err(Refusal::Unclear);
    }
    let allowed = if wanted.len() < 5 { 1 } else { 2 };
    let mut best: Vec<Range<usize>> = Vec::new();
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut fewest = allowed;
    for place in words(text) {
        let word: Vec<char> = text[place.clone()].to_lowercase().chars().collect();
        if word.len().abs_diff(wanted.len()) > allowed || word.first() != wanted.first() {
            continue;
        }
        // `to` is no misspelt `Tom`.
        if is_small(&text[place.clone()]) {
            continue;
        }
        let slips = slips(&word, &wanted);
        if slips == 0 {
            return Err(Refusal::Unclear);
        }
        if slips <= allowed && text[place.clone()].starts_with(char::is_uppercase) {
            names.push(place.clone());
        }
        if slips < fewest {
            best.clear();
            fewest = slips;
        }
        if slips == fewest {
            best.push(place);
        }
    }
    // `Marta` may be meant for `Maria` or for `Mario`.
    let is_name = right.text.starts_with(char::is_uppercase);
    if is_name && names.windows(2).any(|pair| text[pair[0].clone()] != text[pair[1].clone()]) {
        return Err(Refusal::ambiguous(&right.text));
    }
    if best.iter().any(|place| !replace::is_in_code(text, place)) {
        best.retain(|place| !replace::is_in_code(text, place));
    }
    let same = best.windows(2).all(|pair| text[pair[0].clone()].to_lowercase() == text[pair[1].clone()].to_lowercase());
    match best.as_slice() {
        [] => Err(Refusal::not_in_text(&right.text)),
        _ if same => Ok(replace::put(text, &best, |place| in_case_of(&text[place], &right.text), false)),
        _ => Err(Refusal::ambiguous(&right.text)),
    }
}

/// Corrects the common misspellings of `text`, or the one it is told about.
pub(super) fn fix(text: &str, word: Option<&Operand>) -> Result<String, Refusal> {
    if let Some(word) = word {
        let wrong = word.text.to_lowercase();
        let right = correction(&wrong).or_else(|| dictionary::correction(&wrong)).ok_or(Refusal::Spelling)?;
        let places = replace::places(text, word, Which::Every)?;
        return Ok(replace::put(text, &places, |place| in_case_of(&text[place], right), false));
    }
    let wrong: Vec<Range<usize>> =
        words(text).filter(|place| correction(&text[place.clone()].to_lowercase()).is_some()).collect();
    if wrong.is_empty() {
        return without_doubled_word(text).or_else(|| without_slips(text)).ok_or(Refusal::Spelling);
    }
    let right = |place: Range<usize>| {
        correction(&text[place.clone()].to_lowercase()).map(|right| in_case_of(&text[place], right)).unwrap_or_default()
    };
    Ok(replace::put(text, &wrong, right, false))
}

/// `text` with the words corrected that are plainly meant to be others; names keep their letters.
fn without_slips(text: &str) -> Option<String> {
    if text.len() > LONGEST_PROOF {
        return None;
    }
    let starts: Vec<usize> = sentence::sentences(text).iter().map(|sentence| sentence.start).collect();
    let is_plain = |place: &Range<usize>| {
        let word = &text[place.clone()];
        let small = word.starts_with(char::is_lowercase) || starts.contains(&place.start);
        small && !word.chars().skip(1).any(char::is_uppercase) && !replace::is_in_code(text, place)
    };
    let slip = |place: &Range<usize>| dictionary::correction(&text[place.clone()].to_lowercase());
    let wrong: Vec<Range<usize>> = words(text).filter(is_plain).filter(|place| slip(place).is_some()).collect();
    let right = |place: Range<usize>| in_case_of(&text[place.clone()], slip(&place).unwrap_or_default());
    (!wrong.is_empty()).then(|| replace::put(text, &wrong, right, false))
}

/// Longer texts are not read for slips word by word.
const LONGEST_PROOF: usize = 4_096;

/// `text` without the one word that was typed twice.
fn without_doubled_word(text: &str) -> Option<String> {
    const DOUBLED: &[&str] = &["the", "a", "an", "to", "of", "on", "in", "at", "and", "is", "for", "with"];
    let all: Vec<Range<usize>> = words(text).collect();
    let doubled = |pair: &&[Range<usize>]| {
        let (one, other) = (text[pair[0].clone()].to_lowercase(), text[pair[1].clone()].to_lowercase());
        one == other && DOUBLED.contains(&one.as_str()) && text[pair[0].end..pair[1].start].trim().is_empty()
    };
    let mut found = all.windows(2).filter(doubled);
    let pair = found.next()?;
    match found.next() {
        None => Some(format!("{}{}", &text[..pair[0].end], &text[pair[1].end..])),
        Some(_) => None,
    }
}

/// The stretches of letters in a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split(|c: char| !c.is_alphabetic() && c != '\'').filter_map(move |word| {
        let start = at;
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        let word = word.strip_suffix("'s").unwrap_or(word);
        (!word.is_empty()).then_some(start..start + word.len())
    })
}

pub(super) fn correction(wrong: &str) -> Option<&'static str> {
    static CORRECTIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        COMMON.iter().flat_map(|(right, all)| all.split(' ').map(move |wrong| (wrong, *right))).collect()
    });
    CORRECTIONS.get(wrong).copied()
}

/// Words and how they are commonly misspelt.
const COMMON: &[(&str, &str)] = &[
    ("accommodate", "accomodate acommodate"),
    ("accommodation", "accomodation"),
    ("achieve", "acheive"),
    ("address", "adress addres"),
    ("agreement", "agreemnt agrement"),
    ("already", "allready alredy"),
    ("amount", "ammount"),
    ("apartment", "appartment"),
    ("appointment", "apointment appointmnet appoinment"),
    ("argument", "arguement"),
    ("available", "availible avaliable"),
    ("because", "becuase becasue beacuse"),
    ("beginning", "begining"),
    ("believe", "beleive belive"),
    ("birthday", "birtday brithday"),
    ("business", "buisness bussiness busines"),
    ("calendar", "calender calandar"),
    ("cancelled", "cancled"),
    ("category", "catagory"),
    ("colleague", "collegue"),
    ("coming", "comming"),
    ("committee", "comittee commitee"),
    ("conference", "conferance"),
    ("decision", "decison desicion"),
    ("definitely", "definately definatly definitly"),
    ("delivery", "delivary"),
    ("dentist", "dentits"),
    ("dependent", "dependant"),
    ("different", "diffrent"),
    ("dinner", "diner's"),
    ("document", "documnet"),
    ("doesn't", "dosen't doesnt"),
    ("don't", "dont"),
    ("electricity", "electricty"),
    ("embarrass", "embarass"),
    ("environment", "enviroment"),
    ("equipment", "equiptment"),
    ("especially", "especialy"),
    ("existence", "existance"),
    ("experience", "experiance"),
    ("february", "febuary"),
    ("finally", "finaly"),
    ("foreign", "foriegn"),
    ("forward", "foward"),
    ("friday", "firday"),
    ("friend", "freind"),
    ("friends", "freinds"),
    ("government", "goverment"),
    ("grateful", "greatful"),
    ("grocery", "grocerys"),
    ("guarantee", "garantee gaurantee"),
    ("guard", "gaurd"),
    ("happened", "happend"),
    ("height", "hieght"),
    ("immediately", "immediatly imediately"),
    ("independent", "independant"),
    ("insurance", "insurence"),
    ("interest", "intrest"),
    ("interesting", "intresting"),
    ("invoice", "invocie"),
    ("knowledge", "knowlege"),
    ("language", "langauge"),
    ("library", "libary"),
    ("license", "lisence"),
    ("maintenance", "maintainance maintenence"),
    ("meeting", "meetign meeing metting"),
    ("membership", "membershp"),
    ("message", "mesage"),
    ("monday", "modnay"),
    ("necessary", "neccessary necesary"),
    ("necessarily", "neccessarily"),
    ("neighbor", "nieghbor"),
    ("occasion", "occassion"),
    ("occurred", "occured"),
    ("occurrence", "occurence"),
    ("office", "offcie"),
    ("opportunity", "oppurtunity"),
    ("package", "pacakge"),
    ("parallel", "paralel parrallel"),
    ("password", "pasword passwrod"),
    ("people", "poeple"),
    ("perhaps", "prehaps"),
    ("personnel", "personel"),
    ("possible", "posible"),
    ("prefer", "perfer"),
    ("prefers", "perfers"),
    ("presentation", "presentaion"),
    ("privilege", "priviledge"),
    ("probably", "probaly"),
    ("problem", "probelm"),
    ("professional", "proffesional"),
    ("project", "porject"),
    ("publicly", "publically"),
    ("receipt", "reciept"),
    ("receive", "recieve"),
    ("received", "recieved"),
    ("recommend", "recomend reccomend"),
    ("referred", "refered"),
    ("relevant", "relevent"),
    ("remember", "remeber rember"),
    ("reminder", "remindr remidner"),
    ("restaurant", "restaraunt restuarant resturant"),
    ("review", "reveiw"),
    ("schedule", "shedule scheudle"),
    ("separate", "seperate"),
    ("september", "septmeber"),
    ("should", "shoud shuold"),
    ("similar", "similiar"),
    ("sincerely", "sincerly"),
    ("street", "stret steet streeet"),
    ("success", "succes"),
    ("successful", "succesful successfull"),
    ("surprise", "suprise"),
    ("thank", "thnak"),
    ("the", "teh hte"),
    ("their", "thier"),
    ("there", "theer"),
    ("therefore", "therfore"),
    ("thursday", "thrusday thursady"),
    ("together", "togehter"),
    ("tomorrow", "tommorow tommorrow tomorow"),
    ("tuesday", "tuseday teusday"),
    ("truly", "truely"),
    ("until", "untill"),
    ("usually", "usualy"),
    ("vacuum", "vaccum"),
    ("wednesday", "wendesday wednsday wensday"),
    ("weird", "wierd"),
    ("which", "wich whcih"),
    ("with", "wiht wtih"),
    ("writing", "writting"),
    ("yesterday", "yesteday"),
    ("your", "yoru"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Operand {
        Operand { text: text.to_owned(), quoted: false }
    }

    #[test]
    fn the_word_most_like_the_right_one_is_corrected() {
        assert_eq!(spell("9 Mill Stret", &named("Street")).unwrap(), "9 Mill Street");
        assert!(spell("bat and bet", &named("bit")).is_err());
        assert!(spell("Nora drinks cocoa", &named("wine")).is_err());
    }

    #[test]
    fn common_misspellings_are_corrected_unasked() {
        assert_eq!(fix("Teh libary is shut", None).unwrap(), "The library is shut");
        assert_eq!(fix("Call the the dentist", None).unwrap(), "Call the dentist");
        assert_eq!(fix("Call the dentist", None), Err(Refusal::Spelling));
        assert_eq!(fix("Une écharpe pour teh dentist", None).unwrap(), "Une écharpe pour the dentist");
    }
}
