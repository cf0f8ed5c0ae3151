//! Thoughts of about 40 tokens, as people put them: names, subjects that come back, and what sets each one apart.

const FIRST: [&str; 16] = [
    "Dana", "Omar", "Lucia", "Kenji", "Ingrid", "Pavel", "Amara", "Tomas", "Freya", "Rashid", "Noemi", "Viktor",
    "Leila", "Hugo", "Sanna", "Mateo",
];

const LAST: [&str; 16] = [
    "Whitfield",
    "Haddad",
    "Ferreira",
    "Mori",
    "Lindqvist",
    "Novak",
    "Okafor",
    "Berger",
    "Castellan",
    "Qureshi",
    "Moreau",
    "Sokolov",
    "Rahimi",
    "Lambert",
    "Virtanen",
    "Ortega",
];

const PLACES: [&str; 12] = [
    "Lisbon",
    "Gothenburg",
    "Toronto",
    "Nairobi",
    "Osaka",
    "Leipzig",
    "Valparaiso",
    "Tallinn",
    "Marrakesh",
    "Bristol",
    "Zagreb",
    "Montreal",
];

const OPENINGS: [&str; 12] = [
    "told me on the phone that",
    "wrote in the minutes that",
    "mentioned over lunch that",
    "wants everybody to know that",
    "is quite sure that",
    "found out last week that",
    "asked me to remember that",
    "keeps saying that",
    "explained to the whole group that",
    "noticed during the review that",
    "heard from the neighbours that",
    "left a message saying that",
];

const SUBJECTS: [&str; 16] = [
    "the report for the second region came late and half of its figures were missing",
    "a smaller oven bakes the better bread because the crust does not burn before the middle is done",
    "the importer drops the final row of a file that does not end in a line break",
    "train tickets for the summer should be booked early, together with a place for the bicycles",
    "the river stood higher than last year and the path along the old mill was closed",
    "the parser has become twice as fast but takes more memory on long documents",
    "the talk on glaciers was the best of the afternoon and its slides can be had online",
    "the landlord wants the keys back by the end of the month and the deposit is still open",
    "the piano has to be tuned before the concert, and the tuner needs the whole morning",
    "the backup ran out of space twice, so older copies are now removed after ninety days",
    "the choir rehearses in the gymnasium until the roof of the church has been repaired",
    "the vaccination of the cat is due and the vet has moved to the other side of the park",
    "the contract with the printer ends in spring and nobody has asked for another offer yet",
    "tomatoes grew better behind the shed, where the wall keeps the warmth through the night",
    "the login page forgets the language people chose as soon as their session runs out",
    "the museum lends out bicycles for children if one asks for them at the counter",
];

/// The thought of that number; always the same.
pub(crate) fn text(number: usize) -> String {
    let mut state = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut pick = |from: &[&'static str]| {
        state ^= state >> 29;
        state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state ^= state >> 32;
        from[(state % from.len() as u64) as usize]
    };
    let (first, last, opening) = (pick(&FIRST), pick(&LAST), pick(&OPENINGS));
    let (subject, place) = (pick(&SUBJECTS), pick(&PLACES));
    format!("{first} {last} {opening} {subject}; that was about {place}, entry {number} of the list we keep")
}

/// A few words somebody would look for it by.
pub(crate) fn query(number: usize) -> String {
    let subject = SUBJECTS[number % SUBJECTS.len()];
    let words: Vec<&str> = subject.split(' ').filter(|word| word.len() > 4).collect();
    format!("{} {} {}", FIRST[number / 3 % FIRST.len()], words[0], words[number % (words.len() - 1) + 1])
}
