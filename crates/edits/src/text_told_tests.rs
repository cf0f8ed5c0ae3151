//! Statements that tell several things at once, and what takes the place of something: all of it is done, or nothing.

use super::text_tests::check;

/// See `text_tests` for how to read it.
const TABLE: &str = r#"
@PLUMBER: Ola Berg\nPHONE: 555-0101\nMAIL: ola@pipes.example|open
PLUMBER: Ola Berg\nPHONE: 555-0177\nMAIL: berg@pipes.example :: Ola has a new phone number, 555-0177, and she reads berg@pipes.example these days.
@Desk plan: lamp ordered, chair pending. Mentor is Ruth. Start 3 May.|open
Desk plan: lamp ordered, chair here. Mentor is Sami. Start 3 May. :: The chair is here now, and the mentor will be Sami because Ruth is moving.
Desk plan: lamp ordered, chair pending. Mentor is Sami. Start 3 May. :: The mentor will be Sami because Ruth is moving.
@Feed the cat at 7 and 18, no fish.|open
refuse :: The cat should be fed at 17 instead of 19.
@Club card: 30 per month, locker 118.|open
refuse :: The locker number should be 118 instead of 181.
@Gas reading on 1 March: 512. Supplier: Oldgas.|open
refuse :: We changed the supplier to Newgas.
@Trip\nDay 1: train\nDay 2: museum, flight home 17:10|open
refuse :: On day 1 we take the bus, and the flight home on day 2 leaves at 16:40.
@Pages 40-75 for Monday.|open
refuse :: The reading was extended up to page 90.
@Goals\n1. Ship the import\n2. Write the manual|open
refuse :: Goal 2 has changed: it should say 'Write the handbook'.
@Tickets: T-1 login (open), T-2 export (open)|open
refuse :: T-1 was fixed this morning, so set it to closed.
@Release\n☐ Notes\n☐ Translations|open
Release\n☐ Notes\n☑ Translations :: Mark the translations as finished in the list.
@On call: week 31 Jo, week 32 Amir, week 33 Kim.|open
On call: week 31 Amir, week 32 Jo, week 33 Kim. :: Swap Jo and Amir.
@Day plan\n07:30 wash\n13:30 nap\n18:00 supper|open
refuse :: He no longer naps, so please take the nap out.
@Contacts: Silke (mother) 0151 2040; Bernd (father) 0151 2041; Mrs. Aydin (neighbour) 0151 3377.|open
Contacts: Silke (mother) 0151 2040; Bernd (father) 0151 2041. :: Mrs. Aydin has moved away, so please remove her.
@Menu\nEspresso: 2.20\nScone: 2.60|open
Menu\nEspresso: 2.20\nMocha: 3.10\nScone: 2.60 :: Insert Mocha: 3.10 right after the espresso.
Menu\nMocha: 3.10\nEspresso: 2.20\nScone: 2.60 :: Add Mocha: 3.10 before Espresso.
@Arrive at 8:30. Briefing at 9:00. Ends at 13:00.|open
Arrive at 8:30. Briefing at 9:00. Demo at 10:15. Ends at 13:00. :: Please add 'Demo at 10:15.' right after the briefing.
Arrive at 8:30. Briefing at 9:00. Ends at 13:00. Bring a pen. :: Please append this: Bring a pen.
@Bag:\n- slippers\n- charger|open
Bag:\n- non-slip socks\n- charger :: Replace the slippers with non-slip socks.
@1) Heat the oven\n2) Mix butter\n3) Bake|open
1) Heat the oven\n2) Mix butter\n3) Add eggs\n4) Bake :: After step 2 insert a new step: Add eggs
1) Heat the oven\n2) Mix butter\n3) Bake\n4) Cool :: Add Cool as number 4.
@Cover with Allegra; liability with Allegra|open
Cover with Concordia; liability with Concordia :: Allegra was taken over, so every Allegra should become Concordia.
@Vet for Pepper on 4 Feb, Dr. Sandoval.|open
Vet for Pepper on 4 Feb, Dr. Imhof. :: Dr. Sandoval is on holiday then, Dr. Imhof will see Pepper instead.
@Ideas: Azores, Slovenia, Highlands|open
Ideas: Azores, Madeira, Highlands :: We ruled out Slovenia; put Madeira in its place.
@Courses: Algebra, Intro to Ethics, Writing.|open
Courses: Algebra, Philosophy of Science, Writing. :: I dropped Intro to Ethics and took Philosophy of Science instead.
@Mr. Hayashi joins, his interpreter is Ms. Lund.|open
refuse :: Mr. Hayashi is ill, Ms. Kuroda joins in his place.
@The wedding is on 7 June in Galway. The hen party is on 17 May in Dublin.|open
The wedding is on 7 June in Galway. The hen party is on 17 May in Cork. :: The hen party has been moved to Cork.
refuse :: The christening has been moved to Cork.
@Newsletter on the 5th. Subscribers: 412.|open
Newsletter on the 5th. Subscribers: 438. :: We're at 438 subscribers as of today.
@Marta is new. Marta has a key.|open
Martha is new. Martha has a key. :: It turns out her name is spelled Martha. Please fix that everywhere.
@env=prod\nreplicas=3\nlog_level=info|open
refuse :: Set replicas to 5 and log_level to debug until the incident is over.
env=prod\nreplicas=5\nlog_level=info :: Set replicas to 5.
@Guests: Ines, Tariq, Bo. Tariq is allergic to cats.|open
refuse :: Tariq can't come after all, please remove everything about him.
@Ticket 318: refund fails. Assigned to Wei. Priority medium.|open
refuse :: Priority should be high, and it's now assigned to Florian since Wei is on leave.
@Plan: Monday 5 km easy, Sunday long run 16 km.|open
Plan: Monday 5 km easy, Sunday long run 18 km. :: The Sunday long run is 18 km from this week on.
@Prices\nCake: 4.10\nScone: 2.60|open
Prices\nCake: 4.50\nScone: 2.90 :: Scones go to 2.90 and the cake to 4.50 from Monday.
@Apply for the hut job. Deadline 1 March.|archived
Apply for the hut job. Deadline 15 March. [open] :: The deadline has been extended to 15 March, so take this out of the archive and update the date.
@Window boxes: ivy. Water every other day.|open
Window boxes: ivy. Water every other day. In a heatwave they need water every day. :: In a heatwave they need water every day. Please add that.
@Project Lumen\nStatus: on hold\nMilestone: 30 April|completed
refuse :: Lumen got the green light. Status is active again, and the milestone moves to 15 May at the latest perhaps.
@Lego: Orchid, Bugatti, Pyramid|open
refuse :: He already has that one, remove it please.
@Visas\n- Kazakhstan: 30 days\n- Tajikistan: 45 days|open
refuse :: Kyrgyzstan needs to be on the list as well: 60 days. Put it right after Kazakhstan.
@Plantes : basilic, menthe, romarin.|open
Plantes : basilic, ciboulette, romarin. :: Remplace la menthe par de la ciboulette.
@LISTA\n1. Llamar\n2. Pagar\n3. Comprar|open
LISTA\n1. Llamar\n2. Comprar :: Ya está pagado, así que elimina el punto 2.
"#;

#[test]
fn what_is_told_together_is_done_together_or_not_at_all() {
    check(TABLE);
}
