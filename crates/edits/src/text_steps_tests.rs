//! Requests of several steps, with remarks around them, and in other languages.

use super::text_tests::check;

/// See `text_tests` for how to read it.
const TABLE: &str = r#"
@Supper at 6pm with Nils|open
Supper at 7pm with Ines :: first change 6pm to 7pm, then change Nils to Ines
Supper at 7pm with Nils outside :: First replace 6pm with 7pm, then append 'outside'
Supper at 7pm with Ines :: change 6pm to 7pm\nchange Nils to Ines
Supper at 7pm with Ines :: - 6pm -> 7pm\n- Nils -> Ines
Supper at 7pm with Ines :: 1. change 6pm to 7pm\n2. change Nils to Ines
Supper at 7pm with Nils [completed] :: change 6pm to 7pm\n\nmark it done
Supper at 7pm with Nils [completed] :: step 1: change 6pm to 7pm. step 2: mark done
Supper at 7pm with Nils [completed] :: change 6pm to 7pm - done
Supper at 7pm with Ines :: change 6pm to 7pm, after that change Nils to Ines
Supper at 7pm with Ines :: change 6pm to 7pm as well as Nils to Ines
Supper at 7pm with Ines :: s/6pm/7pm/; s/Nils/Ines/
refuse :: change 6pm to 7pm and Olga to Ines
refuse :: change 6pm to 7pm, Olga to Ines
refuse :: 6pm -> 7pm\nOlga -> Ines
refuse :: replace 6pm with 7pm and Olga with Ines
Supper at 7pm with Nils [completed] :: change 6pm to 7pm (and mark it done)
refuse :: change Nils to Ines and translate it to Dutch
Supper at 6pm with Ines :: change Nils to Ines, but leave the rest alone
Supper at 6pm with Ines :: change Nils to Ines, nothing else
Supper at 6pm with Ines :: change Nils to Ines, keep everything else as it is
Supper at 6pm with Ines :: change Nils to Ines please and thank you
Supper at 6pm with Ines :: change Nils to Ines - sorry about that
Supper at 6pm with Ines :: change Nils to Ines (typo)
refuse :: change Nils to Ines maybe
Supper at 6pm with Ines :: repalce Nils with Ines
Supper at 6pm with Ines :: would you mind replacing Nils with Ines
Supper at 6pm with Ines :: ersetze Nils durch Ines
Supper at 6pm with Ines :: remplace Nils par Ines
Supper at 6pm with Ines :: reemplaza Nils por Ines
Supper at 6pm with Ines :: vervang Nils door Ines, bedankt
Supper at 6pm with Ines :: nicht Nils, sondern Ines
Supper at 6pm :: lösche 'with Nils'
Supper at 6pm with Nils outside :: füge 'outside' hinzu
Supper at 6pm with Nils outside :: hänge outside an
Supper at 6pm with Nils outside :: voeg 'outside' toe
Supper at 6pm with Nils outside :: at the end, add outside
Early Supper at 6pm with Nils :: before 'Supper' insert 'Early'
Supper tonight at 6pm with Nils :: insert tonight between Supper and at
Supper at 6pm sharp with Nils :: insert sharp right after 6pm

@Ship the beta on Monday very quietly|open
Ship the beta on Monday quietly :: delete very from this note
Ship the beta on Monday quietly :: please remove very from it
Ship the beta on Monday quietly :: replace very with nothing
Ship the beta on Monday quietly :: change "very" to ""
archived :: delete this
refuse :: reword to ""
refuse :: append ''
refuse :: reword this to sound more polite
refuse :: rewrite it to be clearer
refuse :: rewrite it as a haiku
refuse :: replace the text with something better
refuse :: append a summary
refuse :: prepend a title
refuse :: add today's date at the end
refuse :: add a sentence about testing
refuse :: change Monday to something else
refuse :: replace beta with a better word
refuse :: make it say the same in fewer words
refuse :: make sure this gets done
sound more polite :: reword to: sound more polite
A haiku about ships :: rewrite it as "A haiku about ships"
Ship the beta on Monday very quietly. She is off in May :: add a sentence that she is off in May

@Timeout=30 retries=2|open
Timeout=60 retries=2 :: set timeout to 60
Timeout=30 retries=5 :: change retries to 5

@Owner: Ana - Due: Friday|open
Owner: Ben - Due: Friday :: change the owner to Ben

@Review on Tuesday 4 March|open
Review on Friday 7 March :: Review on Friday 7 March
Review on Friday 7 March :: move it to Friday 7 March
refuse :: Review on Friday

@Party on 3rd April, 40 guests|open
Party on 10th April, 40 guests :: change 3rd April to 10th April

@teh cat is on teh mat|open
the cat is on the mat :: correct teh to the

@Colours: red; green; blue|open
Colours: red; blue :: remove green
Colours: green; blue :: remove red

@Call Maria and Mario|open
refuse :: change it to Marta

@Meet Anna to talk|open
refuse :: it was Tom

@Rent is 900 euros|open
Rent is 950 euros [completed] :: it is 950, mark as done
completed :: done, it took 2 hours

@Shopping:\n- milk\n- eggs|open
Shopping:\n- milk\n- bread\n- eggs :: add bread after milk
Shopping:\n- milk\n- cheese :: change the second item to cheese
Shopping:\n- bread\n- milk\n- eggs :: put bread at the top of the list

@Shopping\nBring a bag|open
Shopping\nBring a bag\nAsk for a receipt :: add a new line at the end: Ask for a receipt
List: Shopping\nBring a bag :: add 'List: ' to the front of the text
Shopping\nBring a box :: in the text, change bag to box

@1. Stop\n2. Copy\n3. Start|open
1. Stop\n2. Start :: remove step 2
1. Stop\n2. Copy\n3. Start\n4. Check :: add step 4: Check
1. Stop\n2. Copy\n3. Restart :: change step 3 to Restart

@Pack the bags. Lock the door.|open
Pack the bags. Feed the cat. Lock the door. :: add 'Feed the cat.' after the first sentence
"#;

#[test]
fn steps_are_told_apart_from_the_words_they_name() {
    check(TABLE);
}
