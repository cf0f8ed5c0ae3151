//! Reads the verbs of other languages, and those with a letter amiss, as the English ones that the rules are written in.
//!
//! Only what a rule looks at is put into English; the words a request names stay as they were written.

use std::borrow::Cow;

use text::slips;

use super::{dictionary, words::Word};

/// Puts the verb of a request and the words that go with it into English.
pub(super) fn in_english(words: &mut Vec<Word<'_>>) {
    let start = words.iter().take_while(|word| word.is_any(LEAD) || word.is_mark()).count();
    let Some((verb, rest)) = words[start..].split_first_mut() else { return };
    if verb.quoted {
        return;
    }
    if let Some(base) = verb.folded.strip_suffix("ing").filter(|_| start > 0)
        && let Some(english) = TYPED.iter().find(|english| english.strip_suffix('e').unwrap_or(english) == base)
    {
        // `would you mind replacing …`
        verb.folded = Cow::Borrowed(english);
        return;
    }
    if let Some(known) = FOREIGN.iter().find(|known| known.verbs.split(' ').any(|other| verb.is(other))) {
        // Without words to find or to put in, it is about the thought itself.
        let particle = known.particle.is_empty() || rest.last().is_some_and(|last| last.is(known.particle));
        if rest.is_empty() || !particle {
            return;
        }
        let joint = rest.iter_mut().skip(1).find(|word| known.joints.split(' ').any(|joint| word.is(joint)));
        if known.joints.is_empty() == joint.is_some() {
            return;
        }
        if let Some(joint) = joint {
            joint.folded = Cow::Borrowed(known.joint);
        }
        verb.folded = Cow::Borrowed(known.english);
        // The particle is part of the verb, not of the words it names.
        if !known.particle.is_empty() {
            words.pop();
        }
        return;
    }
    if let [denied, .., _] = &words[start..]
        && let Some((_, but)) = CONTRASTS.iter().find(|(not, _)| denied.is(not))
        && let Some(at) = words[start..].iter().position(|word| word.is(but))
    {
        words[start].folded = Cow::Borrowed("not");
        words[start + at].folded = Cow::Borrowed("but");
        return;
    }
    let verb = &mut words[start];
    if verb.folded.len() < 5 || dictionary::is_form(&verb.folded) {
        return;
    }
    let typed: Vec<char> = verb.folded.chars().collect();
    let meant = TYPED.iter().find(|english| slips(&typed, &english.chars().collect::<Vec<_>>()) == 1);
    if let Some(english) = meant {
        verb.folded = Cow::Borrowed(english);
    }
}

/// What may stand before the verb.
const LEAD: &str = "please|pls|can|could|would|will|you|we|u|mind|hey|hi|ok|okay|bitte|kannst|du|konntest|merci|de|svp|por|favor|just|also";

/// Verbs that are recognised with a letter amiss.
const TYPED: &[&str] = &[
    "change", "replace", "remove", "delete", "append", "prepend", "rename", "rewrite", "reword", "insert", "correct",
    "update",
];

/// A verb of another language.
struct Foreign {
    /// Its forms, folded.
    verbs: &'static str,
    english: &'static str,
    /// What stands between the old words and the new.
    joints: &'static str,
    joint: &'static str,
    /// What stands at the end.
    particle: &'static str,
}

const fn pair(verbs: &'static str, english: &'static str, joints: &'static str, joint: &'static str) -> Foreign {
    Foreign { verbs, english, joints, joint, particle: "" }
}

const fn single(verbs: &'static str, english: &'static str, particle: &'static str) -> Foreign {
    Foreign { verbs, english, joints: "", joint: "", particle }
}

const FOREIGN: &[Foreign] = &[
    // German.
    pair("ersetze ersetz ersetzen", "replace", "durch mit gegen", "with"),
    pair("andere aendere andern verandere korrigiere", "change", "in zu auf", "to"),
    single("losche loesche entferne streiche", "remove", ""),
    single("fuge fuege", "add", "hinzu"),
    single("hange haenge", "append", "an"),
    // French.
    pair("remplace remplacez remplacer", "replace", "par", "with"),
    pair("modifie modifiez corrige corrigez", "change", "en par", "to"),
    single("supprime supprimez enleve enlevez efface effacez retire retirez", "remove", ""),
    single("ajoute ajoutez", "add", ""),
    // Spanish, Italian and Portuguese.
    pair("reemplaza reemplazar sustituye substituye", "replace", "por con", "with"),
    pair("cambia cambiar corrige", "change", "por a in con", "to"),
    single("elimina borra quita rimuovi remova apague", "remove", ""),
    single("anade agrega aggiungi adicione", "add", ""),
    pair("sostituisci substitua substitui", "replace", "con por", "with"),
    pair("mude altere", "change", "para por", "to"),
    // Dutch.
    pair("vervang", "replace", "door", "with"),
    pair("verander wijzig", "change", "in naar", "to"),
    single("verwijder", "remove", ""),
    single("voeg", "add", "toe"),
];

/// `nicht X, sondern Y`.
const CONTRASTS: &[(&str, &str)] =
    &[("nicht", "sondern"), ("pas", "mais"), ("no", "sino"), ("non", "ma"), ("niet", "maar")];
