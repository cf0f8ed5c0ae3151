//! More requests for other words, and more that must be refused.

use super::text_tests::check;

/// See `text_tests` for how to read it.
const TABLE: &str = r#"
@Tea for Bob, tea for Ann, no sugar for Bob|open
Coffee for Bob, coffee for Ann, no sugar for Bob :: change every tea to coffee
Coffee for Bob, coffee for Ann, no sugar for Bob :: replace all occurrences of tea with coffee
Tea for Rob, tea for Ann, no sugar for Rob :: it's Rob, not Bob
Tea for Rob, tea for Ann, no sugar for Rob :: rename Bob to Rob
Tea for Bob, tea for Ann, no sugar for Rob :: change the second Bob to Rob
Tea for Rob, tea for Ann, no sugar for Bob :: replace the first 'Bob' with 'Rob'
Tea for Bob, tea for Ann, no sugar for Rob :: change the last occurrence of Bob to Rob
Tea for Bob; tea for Ann; no sugar for Bob :: replace all commas with semicolons
Tea for Bob, tea for Ann, no milk for Bob :: change sugar to milk
Tea for Bob, tea for Ann :: remove ", no sugar for Bob"
Tea for Bob, tea for Ann, no sugar for Bob please :: append "please"
refuse :: change Bob to Rob
refuse :: change the third Bob to Rob
refuse :: change Bob to Rob or Tom
refuse :: remove Bob
refuse :: replace "for" with "to"
@really very urgent: call the bank about the blocked card|open
urgent: call the bank about the blocked card :: remove "really very "
urgent: call the bank about the blocked card :: remove 'really very'
very urgent: call the bank about the blocked card :: delete the word really
very urgent: call the bank about the blocked card :: remove the first word
really very urgent: call the bank about the blocked :: remove the last word
urgent: call the bank about the blocked card :: remove 'very' and 'really'
urgent: call the bank about the blocked card :: remove really and remove very
really very urgent: call the bank :: delete everything after bank
call the bank about the blocked card :: remove everything before "call"
Really very urgent: call the bank about the blocked card :: Capitalize the first letter.
Really very urgent: call the bank about the blocked card :: make the first letter uppercase
really very urgent: call the Bank about the blocked card :: capitalize bank
really very urgent: call the BANK about the blocked card :: uppercase the word bank
REALLY VERY URGENT: CALL THE BANK ABOUT THE BLOCKED CARD :: ALL CAPS
really very urgent: call the bank about the stolen card :: the card was stolen, not blocked
really very urgent: call the bank about the stolen card :: s/blocked/stolen
really very urgent: call the bank about the stolen card :: s|blocked|stolen|
really very urgent: email the bank about the blocked card :: email instead of call
really very urgent: email the bank about the blocked card :: I want it to say email instead of call
really very urgent: call the bank today about the blocked card :: add today before about
really very urgent: call the bank about the blocked card before 5pm :: append before 5pm
really very urgent: call the bank about the blocked card. :: add a full stop
really very urgent: call the bank about the blocked card. Reference 4411. :: add "Reference 4411." as a new sentence
really very urgent: call the bank about the blocked card\nRef 4411 :: add "Ref 4411" on a new line
Call the bank :: change the whole text to "Call the bank"
Call the bank :: just say "Call the bank"
Call the bank :: replace everything with Call the bank
Call the bank [completed] :: rewrite as "Call the bank" and mark it done
really very urgent: call the bank about the blocked card [completed] :: done, thanks
really very urgent: call the bank about the blocked card - done by phone :: append "- done by phone"
refuse :: change the bank
refuse :: change it to something else
refuse :: rename it
refuse :: change bank to
refuse :: change to bank
refuse :: replace with bank
refuse :: add a joke
refuse :: remove the boring part
refuse :: remove the part about the loan
refuse :: call the bank
refuse :: is the card blocked?
refuse :: make it sound more polite
refuse :: change the tone
refuse :: blocked or stolen?
refuse :: fix the sentence
refuse :: update with the latest status
refuse :: reword this so it is easier to read
refuse :: please rewrite in German
refuse :: double the urgency
refuse :: remove a word
refuse :: add a due date
refuse :: change the word
@The demo is on Tuesday!|open
The demo is on Tuesday :: remove the exclamation mark
The demo is on Tuesday. :: replace the exclamation mark with a period
The demo is on Wednesday! :: the demo has been moved to Wednesday
The demo is on Wednesday! :: demo is now on Wednesday
The demo is on Wednesday! :: It's on Wednesday, not on Tuesday
The demo is on Wednesday! :: it's actually on Wednesday
The demo is next week! :: change "on Tuesday" to "next week"
The demo is on Tuesday at noon! :: append "at noon"
The demo was on Tuesday! :: change "is" to "was"
The demo was on Tuesday! [completed] :: change is to was and mark this as done
The demo is on Wednesday! [open] :: reopen and change Tuesday to Wednesday
The demo is on Tuesday! It starts at 4. :: append "It starts at 4."
The product demo is on Tuesday! :: change demo to product demo
The product demo is on Tuesday! :: insert product before demo
The demo of v2 is on Tuesday! :: add "of v2" after "demo"
refuse :: change Tuesday to Tuesday or Wednesday
refuse :: the demo went well
refuse :: will the demo be on Wednesday?
refuse :: move it to a later date
refuse :: cancel Tuesday?
refuse :: change the demo
@Passport number is X123456, expires June 2027|open
Passport number is X654321, expires June 2027 :: change the passport number to X654321
Passport number is X654321, expires June 2027 :: the passport number is X654321, not X123456
Passport number is X654321, expires June 2027 :: X123456 should be X654321
Passport number is X123456, expires July 2027 :: change June to July
Passport number is X123456, expires June 2028 :: change 2027 to 2028
Passport number is X123456, expires July 2028 :: it expires July 2028, not June 2027
Passport number is X123456 :: remove ", expires June 2027"
Passport no. is X123456, expires June 2027 :: change "number" to "no."
refuse :: change the expiry
refuse :: change X999 to X654321
@Mom's birthday is May 3rd|open
Mom's birthday is May 4th :: change May 3rd to May 4th
Mom's birthday is May 4th :: it's May 4th
Mom's birthday is May 4th :: change the date to May 4th
Mom's birthday is May 4th :: mom's birthday is May 4th, not May 3rd
Mom's birthday is May 4th :: 3rd should be 4th
Dad's birthday is May 3rd :: Dad's instead of Mom's
Dad's birthday is May 3rd :: change Mom to Dad
Dad's birthday is May 3rd :: change mom to dad
Mom's birthday is May 3rd, buy flowers :: append , buy flowers
Mom's birthday is May 3rd. Buy flowers :: add a sentence: Buy flowers
refuse :: when is mom's birthday?
refuse :: change Grandma to Mom
refuse :: mom's birthday was fun
@Flat rent is 950 EUR, due on the 1st|open
Flat rent is 980 EUR, due on the 1st :: the rent is now 980 EUR
Flat rent is 980 EUR, due on the 1st :: change the rent to 980
Flat rent is 980 EUR, due on the 1st :: update 950 to 980
Flat rent is 950 EUR, due on the 3rd :: due on the 3rd, not the 1st
Flat rent is 950 EUR, due on the 3rd :: change 1st to 3rd
Flat rent is 950 USD, due on the 1st :: USD, not EUR
@Lena's flight lands at 18:40 on Sunday|open
Lena's flight lands at 19:10 on Sunday :: change the landing time to 19:10
Lena's flight lands at 19:10 on Sunday :: her flight lands at 19:10, not 18:40
Lena's flight lands at 19:10 on Sunday :: flight is delayed, change 18:40 to 19:10
Lena's flight lands at 19:10 on Sunday :: new time: 19:10
Lena's flight lands at 19:10 on Sunday :: update the time to 19:10 please
Lena's flight lands at 19:10 on Monday :: change it to Monday at 19:10
Lea's flight lands at 18:40 on Sunday :: Lea not Lena
Lea's flight lands at 18:40 on Sunday :: it's Lea's flight, not Lena's
Lena's train arrives at 18:40 on Sunday :: change "flight lands" to "train arrives"
Lena's train lands at 18:40 on Sunday :: change flight to train
Lena's flight lands at 18:40 on Sunday, Terminal 2 :: append ", Terminal 2"
Lena's flight lands at 18:40 on Sunday (Terminal 2) :: add '(Terminal 2)' to the end
Lena's flight LH123 lands at 18:40 on Sunday :: add LH123 after flight
Lena's flight lands on Sunday :: remove "at 18:40 "
Pick up Lena on Sunday :: reword to "Pick up Lena on Sunday"
Pick up Lena on Sunday :: Change the thought to say "Pick up Lena on Sunday"
Pick up Lena on Sunday :: replace the entire thought with "Pick up Lena on Sunday"
Lena's flight lands at 19:10 on Sunday [archived] :: change 18:40 to 19:10 and then archive this thought
Lena's flight lands at 18:40 on Sunday [archived] :: Not relevant anymore, she already landed
Lena's flight lands at 18:40 on Sunday [completed] :: picked her up, so mark this as done
refuse :: change Sunday to Monday and Sunday to Tuesday
refuse :: make it uppercase and lowercase
refuse :: make it uppercase, no, lowercase
refuse :: append "x" and don't append "x"
refuse :: change Lena to Lea, but keep Lena
refuse :: change 18:40 to 19:10 and mark it done and reopen it
refuse :: could it be Monday?
refuse :: did she land?
refuse :: I wonder whether it is Sunday
refuse :: change the gate to B12
refuse :: replace 'gate' with 'terminal'
refuse :: add the gate
refuse :: include the flight number
refuse :: correct the flight number
refuse :: the flight might land at 19:10
refuse :: the flight will probably land at 19:10
refuse :: change Sunday to
refuse :: -> Monday
refuse :: Lena
refuse :: 19:10?
refuse :: change "Tuesday" to "Sunday"
refuse :: remove the comma
refuse :: remove the parentheses
refuse :: please change
refuse :: just fix it
refuse :: not Sunday
refuse :: no
refuse :: change nothing
refuse :: leave the text alone
refuse :: why does it say Sunday
refuse :: ask Lena about the time
refuse :: notify Lena
@Groceries: oat milk, bread, 6 eggs, cheese|open
Groceries: oat milk, bread, 12 eggs, cheese :: change 6 eggs to 12 eggs
Groceries: oat milk, bread, 12 eggs, cheese :: make it 12 eggs
Groceries: oat milk, bread, 12 eggs, cheese :: we need 12 eggs, not 6
Groceries: oat milk, bread, 12 eggs, cheese :: change the number of eggs to 12
Groceries: oat milk, bread, cheese :: remove the eggs
Groceries: oat milk, bread, cheese :: take eggs off the list
Groceries: oat milk, bread, cheese :: remove 6 eggs
Groceries: bread, 6 eggs, cheese :: remove oat milk
Groceries: oat milk, bread, 6 eggs, cheese, butter :: add butter
Groceries: oat milk, bread, 6 eggs, cheese, butter :: append butter to the list
Groceries: soy milk, bread, 6 eggs, cheese :: soy milk instead of oat milk
Groceries: oat milk, rye bread, 6 eggs, cheese :: bread should be rye bread
Groceries: oat milk, bread, 6 eggs, goat cheese :: make the cheese goat cheese
Groceries: oat milk, bread, 6 eggs :: delete the last item
Groceries: bread, 6 eggs, cheese :: delete the first item
refuse :: remove the wine
refuse :: make it cheaper
refuse :: sort the list
refuse :: add 2
@Project Falcon kicks off on 3 March. Owner: Dana. Dana is in Oslo.|open
Project Hawk kicks off on 3 March. Owner: Dana. Dana is in Oslo. :: rename Falcon to Hawk
Project Hawk kicks off on 3 March. Owner: Dana. Dana is in Oslo. :: the project is called Hawk, not Falcon
Project Falcon kicks off on 10 March. Owner: Dana. Dana is in Oslo. :: kick-off is on 10 March, not 3 March
Project Falcon kicks off on 10 March. Owner: Dana. Dana is in Oslo. :: postpone it to 10 March
Project Falcon kicks off on 10 March. Owner: Dana. Dana is in Oslo. :: the date is 10 March
Project Falcon kicks off on 3 April. Owner: Dana. Dana is in Oslo. :: change March to April
Project Falcon kicks off on 3 March. Owner: Eli. Dana is in Oslo. :: change the owner to Eli
Project Falcon kicks off on 3 March. Owner: Dana. Dana is in Bergen. :: Dana is in Bergen, not Oslo
Project Falcon kicks off on 3 March. Owner: Dana. :: remove the sentence about Oslo
Project Falcon kicks off on 3 March. Dana is in Oslo. :: delete "Owner: Dana."
Project Falcon kicks off on 3 March. Owner: Dana. Dana is in Oslo. Budget: 10k. :: append Budget: 10k.
Project Falcon kicks off on 3 March. Owner: Dana. Dana is in Oslo. Budget: 10k. :: add "Budget: 10k."
Project Falcon kicks off on 3 March. Owner: Dayna. Dayna is in Oslo. :: Dana is spelled Dayna
Project Falcon kicks off on 3 March. Owner: Dayna. Dayna is in Oslo. :: correct Dana to Dayna everywhere
refuse :: change Dana to Dayna
refuse :: change the owner
refuse :: is Dana still the owner?
refuse :: remove the sentence about Dana
refuse :: shorten the first sentence
@Call plumber abuot leaking tap tommorow|open
Call plumber about leaking tap tommorow :: abuot should be about
Call plumber about leaking tap tommorow :: fix "abuot"->"about"
Call plumber abuot leaking tap tomorrow :: fix the spelling of tommorow
Call plumber abuot leaking tap tomorrow :: correct the spelling: tomorrow, not tommorow
Call plumber abuot leaking tap tomorrow :: tommorow → tomorrow
Call plumber about leaking tap tomorrow :: fix the typos: abuot should be about and tommorow should be tomorrow
Call plumber about leaking tap tomorrow :: replace abuot with about and tommorow with tomorrow
Call a plumber abuot leaking tap tommorow :: change plumber to a plumber
Call plumber abuot leaking tap on Friday :: change tommorow to on Friday
Call the plumber abuot leaking tap tommorow :: add "the" before plumber
Call plumber abuot leaking tap :: remove tommorow
@Ship the beta on 15 April and tell Kim|open
Ship the beta on 22 April and tell Kim :: pls change 15 April to 22 April
Ship the beta on 22 April and tell Kim :: new date is 22 April
Ship the beta on 22 April and tell Kim :: beta ships 22 April, not 15 April
Ship the beta on 22 April and tell Kim :: push it to 22 April
Ship the beta on 15 May and tell Kim :: April should be May
Ship the beta on 15 April and tell Kim and Jo :: change Kim to Kim and Jo
Ship the beta on 15 April and tell Kim and Jo :: add "and Jo" at the end
Ship the beta on 15 April and tell Jo :: tell Jo instead of Kim
Ship the beta on 15 April and tell Jo :: Jo, not Kim
Ship the alpha on 15 April and tell Kim :: s/beta/alpha/
Ship the beta on 15 April and notify Kim :: replace 'tell' by 'notify'
Ship the beta on 15 April :: remove "and tell Kim"
Ship the beta on 15 April :: delete and tell Kim
Ship the public beta on 15 April and tell Kim :: add "public" before "beta"
Ship the beta on 15 April and tell Kim. :: Add a period at the end.
Release beta :: Reword: Release beta
Release the beta on 15 April :: rewrite this thought as: Release the beta on 15 April
Release the beta on 15 April :: Please replace the whole thought with "Release the beta on 15 April".
Release the beta on 15 April and tell Kim :: change Ship to Release
Release the beta on 15 April and tell Kim :: change ship to release
SHIP THE BETA ON 15 APRIL AND TELL KIM :: please make this uppercase
ship the beta on 15 april and tell kim :: make it all lowercase
Ship the beta on 15 April and tell Kim [completed] :: The user confirmed the beta shipped, mark it as completed
Ship the beta on 22 April and tell Kim [open] :: change 15 to 22
Ship the beta on 22 April and tell Kim [completed] :: The date should be 22 April, and it's done
Ship the beta on 15 April and tell Kim [archived] :: no longer relevant, the project was cancelled
refuse :: change 16 April to 22 April
refuse :: tell Kim
refuse :: add Jo
refuse :: change beta
refuse :: what's the date?
refuse :: change the date?
refuse :: when should we ship?
refuse :: please clarify
refuse :: mark it as urgent
refuse :: assign it to Kim
refuse :: link it to the release plan
refuse :: change "gamma" to "delta"
refuse :: don't ship
refuse :: fix grammar and spelling
refuse :: expand on this
refuse :: make it a question
refuse :: split this into two thoughts
refuse :: change the date to a later one
refuse :: change 15 April to 22 April unless Kim objects
refuse :: could you tell me the date?
refuse :: would 22 April work?
refuse :: replace beta with gamma? or delta?
@Anna is allergic to peanuts|open
Anna is allergic to walnuts :: Anna is allergic to walnuts, not peanuts
Anna is allergic to walnuts :: it's walnuts not peanuts
Anna is allergic to walnuts :: change peanuts to walnuts
Anna is allergic to peanuts and walnuts :: append and walnuts
Anna is allergic to peanuts and walnuts :: add "and walnuts"
Anna is allergic to peanuts and walnuts :: change peanuts to peanuts and walnuts
Anne is allergic to peanuts :: Her name is Anne, not Anna
Anne is allergic to peanuts :: Anna should be spelled Anne
Anne is allergic to peanuts :: it's Anne
Hannah is allergic to peanuts :: s/Anna/Hannah/
Anna was allergic to peanuts :: change is to was
Anna is severely allergic to peanuts :: add severely before allergic
Anna is severely allergic to peanuts :: insert "severely" before allergic
Anna is not allergic to peanuts :: change "is" to "is not"
Anna is allergic to peanuts. She carries an EpiPen. :: add a sentence: She carries an EpiPen.
Anna is allergic to peanuts (severe) :: add "(severe)" at the end
Health: Anna is allergic to peanuts :: prepend Health:
Health: Anna is allergic to peanuts :: Add the prefix "Health: "
refuse :: Anna is not allergic
refuse :: is Anna allergic to walnuts?
refuse :: she is not allergic to peanuts
refuse :: change Emma to Anne
refuse :: add her age
refuse :: remove walnuts
refuse :: this is wrong
refuse :: change her allergy
@Meeting room: Aspen, 3rd floor; projector broken|open
Meeting room: Birch, 3rd floor; projector broken :: change Aspen to Birch
Meeting room: Birch, 3rd floor; projector broken :: change the meeting room to Birch
Meeting room: Aspen, 4th floor; projector broken :: 4th floor instead of 3rd floor
Meeting room: Aspen, 4th floor; projector broken :: it's on the 4th floor, not the 3rd
Meeting room: Aspen, 3rd floor; projector fixed :: projector is fixed, not broken
Meeting room: Aspen, 3rd floor :: remove "; projector broken"
Meeting room: Aspen, 3rd floor; projector broken, whiteboard missing :: append ", whiteboard missing"
refuse :: projector works now
refuse :: book the meeting room
@It was signed on Friday at 11am for 700 CHF|open
refuse :: it says Monday but it should say Tuesday
refuse :: every day should be every weekday
refuse :: add butter to the list
refuse :: move it to June
refuse :: change the budget to $9,000
refuse :: change the landing time to 19:10
It was signed tomorrow at 11am for 700 CHF :: move it to tomorrow
"#;

#[test]
fn people_get_the_words_they_ask_for() {
    check(TABLE);
}
