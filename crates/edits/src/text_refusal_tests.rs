//! Requests for other words about all kinds of thoughts, a third of which must be refused.

use super::text_tests::check;

/// See `text_tests` for how to read it.
const TABLE: &str = r#"
@Piano lesson with Mr. Olsen every Wednesday at 16:00|open
Piano lesson with Mr. Olsen every Thursday at 16:00 :: change Wednesday to Thursday
Piano lesson with Mr. Olsen every Wednesday at 17:00 :: Replace "16:00" with "17:00"
Piano lesson with Mr. Olson every Wednesday at 16:00 :: Fix the spelling of Olsen to Olson
Piano lesson with Mr. Olson every Wednesday at 16:00 :: correct "Olsen" to "Olson"
Guitar lesson with Mr. Olsen every Wednesday at 16:00 :: it's a guitar lesson, not a piano lesson
Guitar lesson with Mr. Olsen every Wednesday at 16:00 :: It's guitar, not piano
Piano lesson with Mrs. Olsen every Wednesday at 16:00 :: Mr. should be Mrs.
Piano lesson with Mr. Olsen every Wednesday at 16:00 in room B :: append: in room B
Piano lesson with Mr. Olsen every Wednesday at 16:00 (bring sheet music) :: add "(bring sheet music)" at the end
Kids: Piano lesson with Mr. Olsen every Wednesday at 16:00 :: prepend 'Kids: '
Piano lesson every Wednesday at 16:00 :: remove "with Mr. Olsen"
Piano lesson with Mr. Olsen every Wednesday :: delete "at 16:00"
Piano lesson with Mr. Olsen at 16:00 :: remove the phrase 'every Wednesday'
Music class on Wednesdays :: Reword to: Music class on Wednesdays
Music class on Wednesdays :: rewrite it as "Music class on Wednesdays"
PIANO LESSON WITH MR. OLSEN EVERY WEDNESDAY AT 16:00 :: uppercase this
piano lesson with mr. olsen every wednesday at 16:00 :: convert everything to lowercase
Piano lesson with Mr. Olsen every Wednesday at 16:30 :: s/16:00/16:30/
Piano lesson with Mr. Olsen every Wednesday at 16:30 [completed] :: change 16:00 to 16:30 and mark it complete
Piano lesson with Mr. Olsen every Wednesday at 16:00 [archived] :: the lessons ended, archive this
Piano lesson with Mr. Olsen every Wednesday at 16:00 [archived] :: we stopped going, not relevant anymore
Piano lesson with Mr. Olsen every Friday at 10:00 :: change it to Friday at 10:00
Piano lesson with Mr. Olsen every Wednesday at 4pm :: use 4pm instead of 16:00
Piano lesson with Mr. Olsen every Wednesday from 16:00 to 17:00 :: change "at 16:00" to "from 16:00 to 17:00"
Piano lesson with Mr. Olsen every Wednesday at 16:00. Pay monthly. :: add the sentence "Pay monthly."
refuse :: change Monday to Tuesday
refuse :: replace 'violin' with 'cello'
refuse :: remove the word 'violin'
refuse :: what day is the lesson?
refuse :: make it more fun
refuse :: don't change Wednesday
refuse :: hmm not sure
refuse :: change Wednesday to Thursday tomorrow
refuse :: is it Wednesday or Thursday?
refuse :: it's not Wednesday
refuse :: add the address
refuse :: fix everything
refuse :: correct the mistake
refuse :: make it Thursday or Friday
refuse :: swap the days
refuse :: update
refuse :: edit this
refuse :: edit
refuse :: Wednesday
refuse :: replace
refuse :: remove the wrong word
@Vet appointment for Luna: vaccination, nail trim and weight check|open
Vet appointment for Luna: vaccination and weight check :: remove nail trim
Vet appointment for Luna: vaccination and nail trim :: take weight check off the list
Vet appointment for Luna: vaccination, nail trim, weight check and teeth cleaning :: add teeth cleaning to the list
Vet appointment for Luna: vaccination, nail trim, weight check and teeth cleaning :: add teeth cleaning
Vet appointment for Bella: vaccination, nail trim and weight check :: the dog's name is Bella, not Luna
Vet appointment for Bella: vaccination, nail trim and weight check :: Luna → Bella
Vet appointment for Luna: rabies vaccination, nail trim and weight check :: change vaccination to rabies vaccination
Vet appointment for Luna on Tuesday: vaccination, nail trim and weight check :: insert "on Tuesday" after Luna
Vet appointment for Luna: vaccination, nail trim and weight check [completed] :: all done at the vet, mark complete
Vet appointment for Luna: vaccination, nail trim and weight check [completed] :: this happened yesterday, close it
refuse :: remove grooming
refuse :: who is Luna
@server db-01 uses port 5432, backup runs nightly|open
server db-02 uses port 5432, backup runs nightly :: change db-01 to db-02
server db-01 uses port 5433, backup runs nightly :: the port is 5433, not 5432
server db-01 uses port 5433, backup runs nightly :: port should be 5433
server db-01 uses port 5433, backup runs nightly :: change the port to 5433
server db-01 uses port 5432, backup runs hourly :: change nightly to hourly
server db-01 uses port 5432, backup runs hourly :: backup runs hourly, not nightly
server db-01 uses port 5432 :: remove ", backup runs nightly"
Server db-01 uses port 5432, backup runs nightly :: capitalize the first letter
Server db-01 uses port 5432, backup runs nightly :: capitalize the first word
server db-01 uses port 5432, backup runs nightly at 02:00 :: append at 02:00
server db-01 listens on port 5432, backup runs nightly :: change "uses" to "listens on"
server db-01 listens on port 5432, backup runs nightly :: uses → listens on
server db-01 uses port 5432; backup runs nightly :: replace the comma with a semicolon
server db-01 uses port 5432, backup runs nightly [archived] :: outdated, we migrated to the cloud
server db-01 uses port 5432, backup runs nightly [archived] :: db-01 was decommissioned, archive this
refuse :: change 5433 to 5434
refuse :: change the password to hunter2
refuse :: is db-01 still running?
refuse :: restart db-01
refuse :: run the backup
@Lunch w/ Priya thurs, ask abt the Q2 numbers!!|open
Lunch with Priya thurs, ask abt the Q2 numbers!! :: change w/ to with
Lunch w/ Priya Thursday, ask abt the Q2 numbers!! :: change thurs to Thursday
Lunch w/ Priya thurs, ask about the Q2 numbers!! :: abt -> about
Lunch w/ Priya thurs, ask abt the Q3 numbers!! :: it's Q3 not Q2
Lunch w/ Priya thurs, ask abt the Q2 numbers :: remove "!!"
Lunch w/ Priya thurs :: remove ", ask abt the Q2 numbers!!"
Lunch with Priya on Thursday :: rewrite as: Lunch with Priya on Thursday
Lunch with Priya on Thursday, ask about Q2! :: replace it with "Lunch with Priya on Thursday, ask about Q2!"
refuse :: clean this up
refuse :: expand the abbreviations
refuse :: proofread
@Maya's shoe size is 38. Maya likes red. Maya hates mint.|open
Maya's shoe size is 39. Maya likes red. Maya hates mint. :: change 38 to 39
Maya's shoe size is 39. Maya likes red. Maya hates mint. :: her shoe size is 39 now
Maya's shoe size is 39. Maya likes red. Maya hates mint. :: shoe size should be 39
Maya's shoe size is 38. Maya likes blue. Maya hates mint. :: she likes blue, not red
Maya's shoe size is 38. Maya likes blue. Maya hates mint. :: red should be blue
Maya's shoe size is 38. Maya hates mint. :: remove the sentence about red
Maya's shoe size is 38. Maya likes red. :: remove "Maya hates mint."
Maya's shoe size is 38. Maya likes red. :: delete the third sentence
Mia's shoe size is 38. Mia likes red. Mia hates mint. :: her name is Mia, not Maya
Mia's shoe size is 38. Mia likes red. Mia hates mint. :: replace all Maya with Mia
Maya's shoe size is 38. Maya likes red. Maya loves mint. :: change hates to loves
Maya's shoe size is 38. Maya likes red. Maya hates mint. She is 9. :: append "She is 9."
refuse :: change Maya to Mia
refuse :: remove the sentence about Maya
refuse :: she likes mint
refuse :: does Maya like mint?
@Grandma's recipe needs 200 g sugar and 3 eggs|open
Grandma's recipe needs 150 g sugar and 3 eggs :: change 200 to 150
Grandma's recipe needs 150 g sugar and 3 eggs :: it's 150 g sugar, not 200 g
Grandma's recipe needs 150 g sugar and 3 eggs :: Replace '200 g' with '150 g'
Grandma's recipe needs 200 g sugar and 4 eggs :: 4 eggs, not 3
Grandma's recipe needs 200 g sugar and 4 eggs :: make it 4 eggs
Grandma's recipe needs 200 g honey and 3 eggs :: use honey instead of sugar
Grandma's recipe needs 200 g sugar, 3 eggs and vanilla :: add vanilla to the list
Aunt Rosa's recipe needs 200 g sugar and 3 eggs :: change Grandma to Aunt Rosa
Aunt Rosa's recipe needs 200 g sugar and 3 eggs :: it's Aunt Rosa's recipe, not Grandma's
Grandma's cake recipe needs 200 g sugar and 3 eggs :: add cake before recipe
Grandma's recipe needs 200 g sugar and 3 eggs, bake 40 min :: append ", bake 40 min"
Baking: Grandma's recipe needs 200 g sugar and 3 eggs :: prepend "Baking:"
Grandma's recipe needs 200 g sugar :: remove "and 3 eggs"
GRANDMA'S RECIPE NEEDS 200 G SUGAR AND 3 EGGS :: make it upper case
Sugar 200 g, eggs 3 :: reword to "Sugar 200 g, eggs 3"
Grandma's recipe needs 150 g sugar and 3 eggs [completed] :: change 200 g to 150 g, and it's done
refuse :: remove the flour
refuse :: change 500 to 150
refuse :: how much sugar?
refuse :: change the sugar
refuse :: halve the sugar
refuse :: make it sweeter
refuse :: change 200 to 150 if possible
refuse :: double everything
@Car service booked for 9 June at Kwik Garage, ask about brakes|open
Car service booked for 12 June at Kwik Garage, ask about brakes :: move it to 12 June
Car service booked for 12 June at Kwik Garage, ask about brakes :: the service is on 12 June, not 9 June
Car service booked for 12 June at Kwik Garage, ask about brakes :: Change the date from 9 June to 12 June
Car service booked for 9 June at Auto Plus, ask about brakes :: replace Kwik Garage with Auto Plus
Car service booked for 9 June at Auto Plus, ask about brakes :: it's at Auto Plus, not Kwik Garage
Car service booked for 9 June at Kwik Garage, ask about tyres :: ask about tyres, not brakes
Car service booked for 9 June at Kwik Garage, ask about tyres :: change brakes to tyres
Car service booked for 9 June at Kwik Garage, ask about brakes and tyres :: append "and tyres"
Car service booked for 9 June at Kwik Garage, ask about brakes and tyres :: change brakes to brakes and tyres
Car service booked for 9 June at Kwik Garage :: remove ", ask about brakes"
Car service booked for 9 June, ask about brakes :: remove "at Kwik Garage"
Car service booked for 9 June, ask about brakes :: delete at Kwik Garage
Car service on 9 June :: rewrite as Car service on 9 June
Car service on 9 June :: change the text to: Car service on 9 June
Car service booked for 9 June at Kwik Garage, ask about brakes [completed] :: Car's been serviced, mark as done
Car service booked for 9 June at Kwik Garage, ask about brakes [archived] :: sold the car, so this is irrelevant now
Car service booked for 9 June at Kwik Garage, ask about brakes [archived] :: sold the car, archive
refuse :: change 10 June to 12 June
refuse :: is the car service on 9 June?
refuse :: postpone it
refuse :: reschedule
refuse :: move it to next
refuse :: add a reminder
refuse :: set a reminder for 8 June
refuse :: change Kwik Garage to Auto Plus?
refuse :: why 9 June?
refuse :: remove the price
@Netflix password: Tr0ub4dor (do not share)|open
Netflix password: c0rrecth0rse (do not share) :: change the password to c0rrecth0rse
Netflix password: c0rrecth0rse (do not share) :: Tr0ub4dor → c0rrecth0rse
Netflix password: c0rrecth0rse (do not share) :: update password to c0rrecth0rse
Netflix password: Tr0ub4dor :: remove the parenthesis
Netflix password: Tr0ub4dor :: delete "(do not share)"
Disney password: Tr0ub4dor (do not share) :: Netflix should be Disney
Netflix password: Tr0ub4dor (ask Tim first) :: replace "do not share" with "ask Tim first"
refuse :: share the password
refuse :: do not share
refuse :: is this the right password?
refuse :: change Spotify to Disney
@Read "Dune" by March|completed
Read "Dune Messiah" by March :: change Dune to Dune Messiah
Read "Dune" by April :: March should be April
Read "Dune" by March [open] :: not finished yet
Read "Dune" by March [open] :: actually I haven't read it yet
Read "Dune" by April [open] :: change March to April and reopen it
Read "Dune" by April [open] :: reopen, and move it to April
Read "Dune" by March [completed] :: I read it
Read "Dune" by March [archived] :: delete
refuse :: did I read it?
refuse :: reopen it and mark it done
@Order 40 chairs for the seminar; invoice goes to Helga|open
completed :: ordered them this morning
completed :: ok this one is finished, please close it
completed :: Marked done please
completed :: mark it as completed, Helga has the invoice
completed :: I've already taken care of this one, thanks
archived :: seminar got cancelled, archive this
archived :: we no longer need this
archived :: drop this one
open :: leave it open
refuse :: mark as done when the chairs arrive
refuse :: has Helga paid?
refuse :: almost there
refuse :: keep an eye on this
refuse :: not now
refuse :: do not complete this
Order 45 chairs for the seminar; invoice goes to Helga :: change 40 to 45
Order 45 chairs for the seminar; invoice goes to Helga :: 45 chairs instead of 40
Order 45 chairs for the seminar; invoice goes to Helga :: we need 45 chairs, not 40
Order 45 chairs for the seminar; invoice goes to Helga :: make that 45 chairs
Order 40 tables for the seminar; invoice goes to Helga :: it's tables, not chairs
Order 40 chairs for the seminar; invoice goes to Bernd :: the invoice goes to Bernd, not Helga
Order 40 chairs for the seminar; invoice goes to Bernd :: s/Helga/Bernd/
Order 40 chairs for the workshop; invoice goes to Helga :: swap "seminar" for "workshop"
Order 40 chairs for the seminar :: remove "; invoice goes to Helga"
Order 40 folding chairs for the seminar; invoice goes to Helga :: insert folding before chairs
Order 40 chairs for the seminar; invoice goes to Helga by Friday :: append by Friday
Order 40 chairs for the seminar; invoice goes to Helga. :: add a period
Order 45 chairs for the seminar; invoice goes to Bernd :: change 40 to 45 and Helga to Bernd
Order 45 chairs for the seminar; invoice goes to Helga [completed] :: it was 45 chairs, not 40, and mark this done
refuse :: change 50 to 45
refuse :: change Olga to Bernd
refuse :: more chairs
refuse :: increase the number of chairs
refuse :: who gets the invoice?
refuse :: send the invoice
@Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. Ask Jonas about dates.|open
Trip ideas: Rome and Prague. Budget around 900 EUR. Ask Jonas about dates. :: remove Vienna
Trip ideas: Rome, Vienna and Prague and Oslo. Budget around 900 EUR. Ask Jonas about dates. :: change Prague to Prague and Oslo
Trip ideas: Rome, Vienna and Prague. Budget around 1200 EUR. Ask Jonas about dates. :: the budget should be 1200 EUR
Trip ideas: Rome, Vienna and Prague. Budget around 1200 EUR. Ask Jonas about dates. :: raise the budget to 1200
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. :: delete the last sentence
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. :: remove the sentence about Jonas
Trip ideas: Rome, Vienna and Prague. Ask Jonas about dates. :: remove the budget sentence
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. Ask Jonas about trains. :: change dates to trains
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. Ask Jonah about dates. :: it's Jonah
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. Ask Jonas about dates. Book early. :: add "Book early." at the end
TRIP IDEAS: ROME, VIENNA AND PRAGUE. BUDGET AROUND 900 EUR. ASK JONAS ABOUT DATES. :: put everything in capital letters
Trip ideas: Rome, Vienna and Prague. Budget around 900 EUR. Ask Jonas and Mia about dates. :: insert "and Mia" after Jonas
refuse :: remove Madrid
refuse :: add the best city
refuse :: which city is best?
refuse :: remove the fourth sentence
refuse :: change the city
@   todo:  call   the landlord   |open
todo: call the landlord :: clean up the extra spaces
todo: call the landlord :: remove double spaces
   todo:  call   the landlord :: remove trailing spaces
   todo:  email   the landlord    :: change call to email
@hello WORLD from ana|open
Hello world from ana :: sentence case
Hello WORLD From Ana :: capitalize each word
hello WORLD from Ana :: capitalize ana
hello world from ana :: make WORLD lowercase
hello world from ana :: lowercase it
Hello WORLD from ana :: make the first letter a capital
@- alpha\n- beta\n- gamma|open
- alpha\n- gamma :: remove beta
- alpha\n- gamma :: delete the second bullet
- alpha\n- beta\n- gamma\n- delta :: add delta
- alpha\n- beta\n- gamma\n- delta :: add a bullet: delta
- alpha\n- beta 2\n- gamma :: change beta to beta 2
refuse :: remove delta
@Ida keeps her scarf and two gloves in the hall|open
refuse :: Replace "car" with "van"
Ida keeps her scarf and two mittens in the hall :: Replace "glove" with "mitten"
@Cappuccino 4.20, Latte 3.90, Espresso 2.80|open
refuse :: The price of "Latte" is wrong, it should be the same as "Cappuccino"
Cappuccino 4.20, Latte Macchiato 3.90, Espresso 2.80 :: "Latte" is wrong, it should be "Latte Macchiato"
@Intro.\n\nDetails.\n\n\n|open
Intro.\n\nDetails. :: Remove the empty lines at the end.
@The old logo is blue. Then the whole team signed the card.|open
The old logo is green. Then the whole team signed the card. :: Jonas suggested changing blue to green
The old logo is blue. Then the team signed the card. :: Replace "the whole team" with "the team"
The old logo is blue. Then the whole team signed the card. The entire office came. :: Add: The entire office came.
@Dentist appointment on 2026-03-19 at 10:00. Bring the x-rays.|open
Dentist appointment on 2026-03-20 at 10:00. Bring the x-rays. :: It's on the 20th instead of the 19th.
refuse :: If Dr. Lang is ill, make it the 20th instead of the 19th.
refuse :: Should it be the 20th instead of the 19th?
refuse :: It's on the 20th instead of the 19th, and at 11:00.
"#;

#[test]
fn a_refusal_is_preferred_to_a_guess() {
    check(TABLE);
}
