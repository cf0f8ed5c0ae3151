//! Requests for other words in people's own words.

use super::text_tests::check;

/// See `text_tests` for how to read it.
const TABLE: &str = r#"
@Dinner with Paul at Luigi's on Thursday|open
Dinner with Paula at Luigi's on Thursday :: change Paul to Paula
Dinner with Paula at Luigi's on Thursday :: It's Paula, not Paul
Dinner with Paula at Luigi's on Thursday :: it is paula not paul
Dinner with Paula at Luigi's on Thursday :: Paul -> Paula
Dinner with Paula at Luigi's on Thursday :: Paul should be Paula.
Dinner with Paula at Luigi's on Thursday :: Please replace "Paul" with "Paula".
Dinner with Paula at Luigi's on Thursday :: s/Paul/Paula/g
Dinner with Paula at Luigi's on Thursday :: Correct the name: it's Paula, not Paul
Dinner with Paula at Luigi's on Thursday :: Update the name Paul to Paula
Dinner with Paula at Luigi's on Thursday :: fix the name, Paul should be Paula
Dinner with Paula at Luigi's on Thursday :: the name should be Paula instead of Paul
Lunch with Paul at Luigi's on Thursday :: change dinner to lunch
Lunch with Paul at Luigi's on Thursday :: it's lunch, not dinner
Lunch with Paul at Luigi's on Thursday :: replace Dinner with Lunch
Dinner with Paul at Mario's on Thursday :: change Luigi's to Mario's
Dinner with Paul at Mario's on Thursday :: we're going to Mario's instead of Luigi's
Dinner with Paul at Luigi's on Friday :: move this to Friday
Dinner with Paul at Luigi's on Friday :: move it from Thursday to Friday
Dinner with Paul at Luigi's on Friday :: postpone to Friday
Dinner with Paul at Luigi's on Friday :: it's on Friday now
Dinner with Paul at Luigi's on Friday :: change the date to Friday
Dinner with Paul at Luigi's on Friday :: dinner is on Friday, not Thursday
Dinner with Paul at Luigi's on Friday :: update the day: Friday instead of Thursday
Dinner with Paul at Luigi's on Friday :: swap out Thursday for Friday
Dinner with Paul at Luigi's on Thursday at 8pm :: add "at 8pm" at the end
Dinner with Paul at Luigi's on Thursday at 8pm :: append at 8pm
Dinner with Paul at Luigi's on Thursday at 8pm :: Add at 8pm to the end.
Dinner with Paul at Luigi's on Thursday, bring wine :: append ", bring wine"
Dinner with Paul and Ana at Luigi's on Thursday :: add "and Ana" after Paul
Dinner with Paul and Ana at Luigi's on Thursday :: insert 'and Ana' after 'Paul'
Big dinner with Paul at Luigi's on Thursday :: change Dinner to Big dinner
Plan: Dinner with Paul at Luigi's on Thursday :: prepend "Plan: "
Plan: Dinner with Paul at Luigi's on Thursday :: add Plan: at the start
Plan: Dinner with Paul at Luigi's on Thursday :: put "Plan:" at the beginning
Dinner with Paul on Thursday :: remove "at Luigi's"
Dinner with Paul on Thursday :: remove at Luigi's
Dinner at Luigi's on Thursday :: delete "with Paul"
Dinner with Paul at Luigi's :: remove the day
Dinner with Paul at Luigi's :: drop "on Thursday"
DINNER WITH PAUL AT LUIGI'S ON THURSDAY :: make it all uppercase
DINNER WITH PAUL AT LUIGI'S ON THURSDAY :: Convert this to UPPERCASE
dinner with paul at luigi's on thursday :: lowercase everything
dinner with paul at luigi's on thursday :: make everything lower case please
Dinner with Paul at LUIGI'S on Thursday :: make Luigi's uppercase
Meet Paul for coffee :: reword to: Meet Paul for coffee
Meet Paul for coffee :: rephrase it as "Meet Paul for coffee"
Meet Paul for coffee :: Rewrite this to say: Meet Paul for coffee
Meet Paul for coffee :: Replace the text with "Meet Paul for coffee"
Meet Paul for coffee :: change it to "Meet Paul for coffee"
Meet Paul for coffee :: change this to: Meet Paul for coffee
Meet Paul for coffee :: make it say "Meet Paul for coffee"
Meet Paul for coffee :: the text should be "Meet Paul for coffee"
Meet Paul for coffee :: replace it all with: Meet Paul for coffee
Dinner with Paula at Luigi's on Thursday [completed] :: change Paul to Paula and mark as done
Dinner with Paula at Luigi's on Thursday [archived] :: Change Paul to Paula, then archive it.
Dinner with Paul at Luigi's on Friday [completed] :: move it to Friday. Also mark it complete.
Dinner with Paula at Luigi's on Friday :: change Paul to Paula and Thursday to Friday
Dinner with Paula at Mario's on Thursday :: replace Paul with Paula and Luigi's with Mario's
refuse :: change Peter to Paula
refuse :: replace "Sunday" with "Monday"
refuse :: remove "with Anna"
refuse :: change the time to 8pm
refuse :: is it Paul or Paula?
refuse :: who is Paul?
refuse :: should it be Paula?
refuse :: do not replace Paul with Paula
refuse :: don't touch the text
refuse :: please don't add anything
refuse :: make it nicer
refuse :: make this more concise
refuse :: rephrase
refuse :: rewrite it
refuse :: fix the grammar
refuse :: correct it
refuse :: update this
refuse :: change Paul
refuse :: change to
refuse :: add more details
refuse :: shorten it
refuse :: change Paul to Paula once he confirms
refuse :: if he can't make it, change Thursday to Friday
refuse :: change Paul to Paula or Ana
refuse :: maybe replace Paul with Paula
refuse :: change Thursday to Friday, actually never mind
refuse :: remove everything
refuse :: delete the second sentence
refuse :: fix the typo
refuse :: hello there
refuse :: Paul is nice
refuse :: change the price to 20 EUR
refuse :: tomorrow change Paul to Paula
refuse :: what does Luigi's mean?
refuse :: can I change Paul to Paula?
refuse :: make it pop
refuse :: translate this to German
refuse :: undo and remove Paul
@Sara lives in Porto. Sara works for Acme.|open
Sarah lives in Porto. Sarah works for Acme. :: it's Sarah, not Sara
Sarah lives in Porto. Sarah works for Acme. :: change all Sara to Sarah
Sarah lives in Porto. Sarah works for Acme. :: replace every "Sara" with "Sarah"
Sarah lives in Porto. Sarah works for Acme. :: change Sara to Sarah everywhere
Sarah lives in Porto. Sarah works for Acme. :: s/Sara/Sarah/g
Sarah lives in Porto. Sarah works for Acme. :: her name is spelled Sarah
Sarah lives in Porto. Sarah works for Acme. :: both Sara should be Sarah
Sara lives in Lisbon. Sara works for Acme. :: she lives in Lisbon, not Porto
Sara lives in Lisbon. Sara works for Acme. :: Sara lives in Lisbon, not in Porto
Sara lives in Porto. She works for Acme. :: change the second Sara to She
Sara lives in Porto. :: remove the last sentence
Sara lives in Porto. :: delete the sentence about Acme
Sara lives in Porto. :: remove the sentence "Sara works for Acme."
Sara works for Acme. :: remove the first sentence
Sara works for Acme. :: drop the sentence about Porto
Sara lives in Porto. Sara works for Acme. She has a dog. :: add "She has a dog."
Sara lives in Porto. Sara works for Acme. She has a dog. :: append "She has a dog."
Sara lives in Porto. Sara works for Acme. She has a dog. :: add a sentence saying she has a dog
Sara lives in Porto. Sara works for Acme. She has a dog. :: add that she has a dog
Sara lives in Porto. Sara works for Acme since 2020. :: append since 2020
Sara lives in Porto. Sara works for Globex. :: Acme should be Globex
Sara lives in Porto. Sara works for Globex. :: change the company from Acme to Globex
refuse :: change Sara to Sarah
refuse :: replace "Sara" with "Sarah"
refuse :: remove the sentence about Sara
refuse :: remove the third sentence
refuse :: does Sara live in Porto?
@shoping list: apples, pears and plums|open
shopping list: apples, pears and plums :: fix the typo: shoping should be shopping
shopping list: apples, pears and plums :: correct shoping to shopping
shopping list: apples, pears and plums :: fix spelling of shoping -> shopping
shopping list: apples, pears and plums :: it's spelled shopping
shopping list: apples, pears and plums :: shoping is spelled wrong, it should be shopping
shopping list: apples, pears and plums :: typo: shoping → shopping
shoping list: apples and plums :: remove pears
shoping list: apples and pears :: remove plums
shoping list: pears and plums :: remove apples from the list
shoping list: apples, pears, plums and figs :: add figs
shoping list: apples, pears, plums and figs :: add figs to the list
shoping list: apples, pears, plums, figs and nuts :: add figs and nuts
shoping list: apples, cherries and plums :: replace pears with cherries
Shoping list: apples, pears and plums :: capitalize the first letter
Shoping list: apples, pears and plums :: capitalise the first word
refuse :: remove bananas
refuse :: add fruit if needed
@Budget: $4,000 for marketing, $2,500 for travel|open
Budget: $4,500 for marketing, $2,500 for travel :: change $4,000 to $4,500
Budget: $4,000 for marketing, $3,000 for travel :: travel should be $3,000
Budget: $4,000 for marketing, $3,000 for travel :: change the travel budget to $3,000
Budget: $4,000 for marketing, $3,000 for travel :: it's $3,000 for travel, not $2,500
Budget: $4,500 for marketing, $2,500 for travel :: s/4,000/4,500/
refuse :: change the budget to $9,000
refuse :: make it $9,000
@Invoice INV-104 is due 2026-03-01|open
Invoice INV-105 is due 2026-03-01 :: change INV-104 to INV-105
Invoice INV-104 is due 2026-04-01 :: the due date should be 2026-04-01
Invoice INV-104 is due 2026-04-01 :: move the due date to 2026-04-01
Invoice INV-104 is due 2026-04-01 :: change the date to 2026-04-01
Invoice INV-104 is due on 2026-03-01 :: change "due" to "due on"
Invoice INV-104 was due 2026-03-01 :: change is to was
Invoice INV-104 is due 2026-03-01 (paid) :: add (paid) at the end
Invoice INV-104 is due 2026-03-01 (paid) [completed] :: append "(paid)" and mark it as completed
@Team offsite in Munich from 12 May to 14 May, budget 3000 EUR|open
Team offsite in Berlin from 12 May to 14 May, budget 3000 EUR :: Munich → Berlin
Team offsite in Berlin from 12 May to 14 May, budget 3000 EUR :: it'll be in Berlin instead of Munich
Team offsite in Berlin from 12 May to 14 May, budget 3000 EUR :: Please update Munich to Berlin, the hotel was full
Team offsite in Munich from 12 May to 15 May, budget 3000 EUR :: change 14 May to 15 May
Team offsite in Munich from 12 May to 14 May, budget 3500 EUR :: change the budget to 3500
Team offsite in Munich from 12 May to 14 May, budget 3500 EUR :: budget should be 3500 EUR
Team offsite in Munich from 12 May to 14 May, budget 3500 EUR :: the budget is now 3500 EUR
Team offsite in Munich from 12 May to 14 May, budget 3500 EUR :: raise the budget to 3500 EUR
Team offsite in Munich from 12 May to 14 May, budget 3500 EUR :: make the budget 3500 EUR
Team offsite in Munich from 12 May to 14 May :: remove ", budget 3000 EUR"
Team offsite in Munich from 12 May to 14 May, budget 3000 EUR (approved) :: append "(approved)"
refuse :: change the date to 20 May
refuse :: move it to June
refuse :: change the dates
@Remember to water the plants. The spare key is under the blue pot. Neighbour: Tom.|open
Remember to water the plants. The spare key is under the red pot. Neighbour: Tom. :: change blue to red
Remember to water the plants. The spare key is under the red pot. Neighbour: Tom. :: the pot is red, not blue
Remember to water the plants. The spare key is under the red pot. Neighbour: Tom. :: use red instead of blue
Remember to water the plants. The spare key is under the red pot. Neighbour: Tom. :: "blue pot" should say "red pot"
Remember to water the plants. The spare key is under the red pot. Neighbour: Tom. :: change blue pot to red pot
Remember to water the plants. The spare key is under the blue pot. Neighbour: Tim. :: The neighbour is Tim, not Tom
Remember to water the plants. The spare key is under the blue pot. Neighbour: Tim. :: change the neighbour to Tim
Remember to water the plants. Neighbour: Tom. :: remove the sentence about the key
Remember to water the plants. Neighbour: Tom. :: delete the second sentence
Remember to water the plants. Neighbour: Tom. :: remove the second sentence please
Remember to water the plants. The spare key is under the blue pot. :: remove the last sentence
Remember to water the plants. The spare key is under the blue pot. :: drop "Neighbour: Tom."
The spare key is under the blue pot. Neighbour: Tom. :: remove "Remember to water the plants."
Remember to water the plants. The key is under the blue pot. Neighbour: Tom. :: remove the word "spare"
Remember to water the plants. The key is under the blue pot. Neighbour: Tom. :: take out spare
Remember to water the plants. The spare key is under the blue pot. Neighbour: Tom. Back on Sunday. :: add "Back on Sunday." at the end
Remember to water the plants twice a week. The spare key is under the blue pot. Neighbour: Tom. :: insert "twice a week" after "plants"
Remember to water the plants twice a week. The spare key is under the blue pot. Neighbour: Tom. :: add twice a week after plants
Water the plants. The spare key is under the blue pot. Neighbour: Tom. :: change "Remember to water" to "Water"
Water the plants. The spare key is under the blue pot. Neighbour: Tom. :: replace the first sentence with "Water the plants."
Remember to water the plants. The spare key is under the blue pot. Neighbour: Tom. [archived] :: archive this
refuse :: remove the sentence about the dog
refuse :: change green to red
refuse :: where is the key?
refuse :: remove the fourth sentence
@Standup every day at 9:15 in the blue room|open
Standup every day at 9:30 in the blue room :: make it 9:30
Standup every day at 9:30 in the blue room :: The standup is now at 9:30
Standup every day at 9:30 in the blue room :: the standup moved to 9:30
Standup every day at 9:30 in the blue room :: it should be 9:30 instead of 9:15
Standup every day at 9:30 in the blue room :: 9:15 is wrong, should be 9:30
Standup every day at 9:30 in the blue room :: change the time of the standup to 9:30
Standup every day at 9:30 in the blue room :: correct the time to 9:30
Standup every day at 9:30 in the blue room :: I meant 9:30
Standup every day at 9:30 in the blue room :: 9:30, not 9:15
Standup every weekday at 9:15 in the blue room :: change "every day" to "every weekday"
Standup every weekday at 9:15 in the blue room :: every day should be every weekday
Standup every day at 9:15 in the big room :: it's the big room, not the blue room
Standup every day at 9:15 in the big room :: change blue room to big room
Standup every day at 9:15 :: remove in the blue room
Standup every day in the blue room :: remove the time
Daily standup at 9:15 in the blue room :: reword to "Daily standup at 9:15 in the blue room"
Standup every day at 9:15 in the blue room, cameras on :: append: , cameras on
Standup every day at 9:15 in the blue room. Cameras on. :: add a sentence: Cameras on.
NOTE: Standup every day at 9:15 in the blue room :: prefix with "NOTE:"
NOTE: Standup every day at 9:15 in the blue room :: prefix it with NOTE:
NOTE: Standup every day at 9:15 in the blue room :: begin with "NOTE: "
Standup Every Day At 9:15 In The Blue Room :: capitalize every word
Standup every day at 9:15 in the BLUE room :: put blue in capitals
refuse :: change 9:45 to 9:30
refuse :: make it earlier
refuse :: what time is the standup?
@Q4 goals:\n1. hire two engineers\n2. cut costs\n3. ship v3|open
Q4 goals:\n1. hire three engineers\n2. cut costs\n3. ship v3 :: change two to three
Q4 goals:\n1. hire two engineers\n2. cut costs\n3. ship v3\n4. open Lisbon office :: add "open Lisbon office" to the list
Q4 goals:\n1. hire two engineers\n2. cut costs :: remove the last item
Q4 goals:\n1. hire two engineers\n2. cut costs :: remove item 3
Q4 goals:\n1. hire two engineers\n2. cut costs\n3. ship v4 :: v3 should be v4
Q4 goals:\n1. hire two engineers\n2. reduce costs\n3. ship v3 :: reword "cut costs" to "reduce costs"
Q1 goals:\n1. hire two engineers\n2. cut costs\n3. ship v3 :: it's Q1, not Q4
@Buy paint and brushes|open
Buy paint, brushes and tape :: add tape
Buy paint, brushes and tape :: also add tape to the list
Buy paint, brushes and tape :: include tape
Buy brushes :: remove paint
Buy paint :: we don't need brushes, remove brushes
Buy white paint and brushes :: add white before paint
Buy white paint and brushes :: make it white paint
Buy paint and rollers :: rollers instead of brushes
Buy paint and rollers [completed] :: replace brushes with rollers and mark as complete
Buy paint and brushes at the hardware store :: append "at the hardware store"
Buy paint and brushes at the hardware store :: add at the hardware store
Buy paint and brushes [completed] :: bought both, mark done
URGENT: Buy paint and brushes :: add URGENT: at the beginning
Buy paint and brushes! :: add an exclamation point
Buy paint and brushes. :: end with a period
refuse :: remove tape
refuse :: add it
refuse :: add the usual
refuse :: swap
@Ich treffe Jürgen am Montag um 10 Uhr|open
Ich treffe Jürgen am Dienstag um 10 Uhr :: change Montag to Dienstag
Ich treffe Jörg am Montag um 10 Uhr :: replace Jürgen with Jörg
Ich treffe Jörg am Montag um 10 Uhr :: change Jurgen to Jörg
Ich treffe Jürgen am Montag um 11 Uhr :: change 10 to 11
Ich treffe Jürgen am Montag um 10 Uhr im Büro :: append "im Büro"
@会議は火曜日の10時です|open
会議は水曜日の10時です :: change 火曜日 to 水曜日
会議は水曜日の10時です :: replace "火曜日" with "水曜日"
@The user prefers dark mode and tabs over spaces|open
The user prefers light mode and tabs over spaces :: The user now prefers light mode instead of dark mode
The user prefers light mode and tabs over spaces :: change dark to light
The user prefers light mode and tabs over spaces :: Update this memory: replace dark mode with light mode
The user prefers dark mode and spaces over tabs :: swap tabs and spaces
The user prefers dark mode :: remove "and tabs over spaces"
The user prefers dark mode and tabs over spaces in VS Code :: append in VS Code
Prefers dark mode :: Rewrite the thought as "Prefers dark mode"
Prefers dark mode :: update the text to "Prefers dark mode"
Prefers dark mode :: Set text to "Prefers dark mode".
Prefers dark mode :: The thought should read: Prefers dark mode
refuse :: update the preference
refuse :: the user changed their mind
refuse :: fix formatting
refuse :: merge this with the other preference
@Meeting notes: discuss budgt with Karen, ask about hiring|open
Meeting notes: discuss budget with Karen, ask about hiring :: fix typo budgt to budget
Meeting notes: discuss budget with Karen, ask about hiring :: 'budgt' should be 'budget'
Meeting notes: discuss budget with Karen, ask about hiring :: there's a typo: budgt should be budget
Meeting notes: discuss budget with Karen, ask about hiring :: correct the typo in "budgt": it should be "budget"
Meeting notes: discuss budget with Karen, ask about hiring :: budget is misspelled
Meeting notes: discuss budget with Karen, ask about hiring :: it should be budget
Meeting notes: discuss budgt with Karin, ask about hiring :: Karen is actually Karin
Meeting notes: discuss budgt with Karin, ask about hiring :: it's spelled Karin with an i
Meeting notes: discuss budgt with Karin, ask about hiring :: Karin not Karen
refuse :: fix the spelling of hiring
refuse :: correct the numbers
"#;

#[test]
fn people_get_the_words_they_ask_for() {
    check(TABLE);
}
