//! The words around and inside a name that tell what kind of thing it names.
//!
//! - Words are folded and parted by white space. Lists hold English first, then the German, French and Spanish words of
//!   the same use.
//! - Pure vocabulary: how much a cue weighs is decided in `context` and `own_words`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What a word says about the name beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Cue {
    /// Titles before a surname; they are not part of the name.
    Title,
    /// Relatives, friends and trades that stand right before a name: `my colleague Abebe`, `uncle Ravi`.
    Relation,
    /// Words whose object is mostly a person: `met X`, `with X`.
    BeforePerson,
    /// Words before the comma of an address: `Thanks, Nate!`
    Greeting,
    /// Verbs whose subject is mostly a person: `X said`.
    PersonVerb,
    /// Verbs whose subject is always a person.
    OnlyPersonVerb,
    /// Words after which the place of a journey or a stay is named.
    BeforePlace,
    /// Words of travel and dwelling: with `to`, `from` or `for` after them, a place follows.
    Travel,
    /// Words after which an organisation is named.
    BeforeOrganisation,
    /// Words of work: with `at`, `for`, `by`, `with` or `from` after them, an organisation follows.
    Job,
    /// Nouns after an organisation's name: `the Lumen contract`.
    AfterOrganisation,
    /// Nouns after a product's name: `Kestrel build`, `the Orion team`.
    AfterProduct,
    /// Words before a product's name: `release of X`, `upgrade X`, `using X`.
    BeforeProduct,
    /// Words that, with `of`, `to`, `in`, `with`, `for`, `on` after them, lead to a product.
    Software,
    /// Nouns right before a work's title: `the movie Parasite`.
    WorkNoun,
    /// Verbs whose object may be a work: `read X`.
    WorkVerb,
    /// Words that make the capitalised words before them an organisation.
    OrganisationEnd,
    /// Words that open an organisation's name, with `of`, `for` or `de` after them.
    OrganisationStart,
    /// Words that make the capitalised words before them a place.
    PlaceEnd,
    /// Words that open a place's name: `Lake Bled`.
    PlaceStart,
    /// Particles inside personal names.
    Particle,
    /// Abbreviations in capitals that name no organisation.
    TechnicalTerm,
}

impl Cue {
    /// Whether `folded` is such a word.
    pub(super) fn has(self, folded: &str) -> bool {
        CUES.get(folded).is_some_and(|cues| cues & (1 << self as u8) != 0)
    }
}

/// The cues of each word, a bit each.
static CUES: LazyLock<FxHashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut cues: FxHashMap<&'static str, u32> = FxHashMap::default();
    for (cue, words) in LISTS {
        for word in words.split_ascii_whitespace() {
            *cues.entry(word).or_default() |= 1 << *cue as u8;
        }
    }
    cues
});

const LISTS: &[(Cue, &str)] = &[
    (
        Cue::Title,
        "dr prof professor mr mrs ms miss sir dame lord lady mx doctor captain herr herrn frau familie mme madame \
         monsieur mlle maitre senor senora sr sra srta don dona doctora signor signora senator judge pastor sister \
         coach chancellor dott ing rabbi imam sheikh pope",
    ),
    (
        Cue::Relation,
        "aunt auntie uncle grandma grandpa granny cousin brother sister sis bro son daughter husband wife partner \
         fiance fiancee boyfriend girlfriend mother father nephew niece mum mom dad friend buddy neighbor neighbour \
         colleague coworker teammate boss manager mentor intern assistant roommate flatmate landlord tenant dentist \
         therapist accountant lawyer trainer teacher nanny babysitter plumber recruiter cto ceo cfo director designer \
         engineer developer president minister author named called king queen saint client analyst kid twins baby \
         classmate tante onkel oma opa bruder schwester kollege kollegin freund freundin chef chefin nachbar \
         nachbarin cousine schwager sohn tochter frere soeur oncle ami amie collegue voisin voisine fils fille \
         hermano hermana tio tia amigo amiga jefe jefa primo prima hijo hija vecino vecina novio novia",
    ),
    (
        Cue::BeforePerson,
        "met meet meeting meets with told tell telling asked ask asking call calling phone email mail emailed text \
         texted message ping pinged thank thanks thanked invite invited interviewed hired married remind reminded hug \
         hugged promised kissed congratulate congratulated introduced cc dear hi hello hey chase convinced babysit \
         assigned attendees participants mit getroffen avec con vi rencontre trafen fragen frag anrufen appeler \
         llamar conoci",
    ),
    (
        Cue::Greeting,
        "thanks hi hey hello wow sorry worries congrats congratulations absolutely yes no yeah sure great well \
         morning you that ok okay definitely agreed cool danke merci gracias hallo bonjour hola",
    ),
    (
        Cue::PersonVerb,
        "said says told tells thinks thought wants wanted called asked asks likes liked loves loved hates hated lives \
         lived moved came comes went wrote writes gave gives sent sends took takes made bought brought suggested \
         suggests mentioned recommended recommends promised prefers works worked studies studied teaches taught plays \
         played speaks knows knew needs needed felt feels looks looked seemed cried laughed forgot remembers reports \
         reported agreed joined left fixed turns turned got gets eats drinks drives flew visited met hired broke \
         presented replied answered owes sings walks sleeps has had does did wohnt arbeitet sagt sagte kommt hat mag \
         meint travaille habite dit aime vive viven trabaja dice dijo quiere llega",
    ),
    (
        Cue::OnlyPersonVerb,
        "said says told tells thinks wants wanted asked asks likes loves loved hates prefers lives promised suggested \
         suggests mentioned recommended recommends cried laughed forgot remembers agreed replied owes taught teaches \
         wohnt sagt sagte meint habite vive dice dijo quiere",
    ),
    (
        Cue::BeforePlace,
        "in near around across outside toward towards via nach aus a en hasta desde vers pres cerca visiting explore \
         exploring leaving within throughout v в",
    ),
    (
        Cue::Travel,
        "flew fly flying flight flights moved move moving trip travel travelled traveled travelling went go going \
         drive drove train tram bus ferry ticket tickets journey back return returned relocated road way tour been \
         come coming came sailed route vacation holiday migrated is are comes arrived headed heading expedition weeks \
         days walk hike hiked visit",
    ),
    (
        Cue::BeforeOrganisation,
        "at bei chez startup company employer bank client customer supplier vendor agency competitor hotel restaurant \
         cafe firma kunde empresa entreprise join acquired fined sued",
    ),
    (
        Cue::Job,
        "works work worked working job interview intern internship ceo cto cfo founder hired employed contract \
         invoice offer career role position studies studied studying degree arbeitet arbeite travaille trabaja \
         partnership partner signed deal bank director professor engineer manager acquired shares stock investor \
         donated president contact account dinner lunch",
    ),
    (
        Cue::AfterOrganisation,
        "contract shares stock employees employee office offices invoice account ceo cto customers lawyers \
         headquarters deal announced fined acquired recalled hired fires sued contacts branch recruiter subsidiary \
         cancelled canceled",
    ),
    (
        Cue::AfterProduct,
        "app release build builds dashboard repo repository api plugin library server cluster service database tool \
         team codebase project package framework extension module backend frontend deployment rollout launch beta \
         prototype migration roadmap client container images crate sdk cli compiler model channel workspace ships \
         instance logs version pipeline config queries sheets board",
    ),
    (
        Cue::BeforeProduct,
        "use uses using used install installed upgrade upgraded deploy deployed deploying run runs running ship \
         shipped shipping launch launched release released bump debug debugging rewrite app library tool framework \
         project codename codenamed software product repo package service plugin language database crate via through \
         built module migrated configure restart feature",
    ),
    (
        Cue::Software,
        "release version upgrade switch switched migrate migration port ported written built implemented repo \
         repository launch bug deploy export import runs running based integrate integration roadmap codebase docs",
    ),
    (
        Cue::WorkNoun,
        "movie film book novel song album paper podcast series documentary musical opera poem article essay memoir \
         trilogy anime manga comic audiobook sitcom buch roman lied livre chanson libro pelicula cancion novela serie \
         titled entitled symphony",
    ),
    (
        Cue::WorkVerb,
        "read reading reread rereading watch watched watching rewatch rewatched finished streaming streamed binged \
         bingeing lu gelesen gesehen leyendo lei vimos wrote recorded listening listened played performed directed \
         picked lese lis",
    ),
    (
        Cue::OrganisationEnd,
        "inc ltd llc gmbh ag corp corporation plc kg ohg se sa sarl srl spa bv nv oy ab as pty co company labs \
         systems group holdings holding bank university hospital institute school college foundation museum airlines \
         airways council commission agency studios partners ventures insurance society association academy clinic \
         technologies solutions industries consulting pharma motors software press orchestra universitat universite \
         universidad hochschule verein stiftung klinik sparkasse committee ministry parliament cathedral federation \
         bakery logistics analytics robotics energy biotech therapeutics brewery hotel gallery church",
    ),
    (
        Cue::OrganisationStart,
        "university museum ministry bank school institute department house church academy faculty society association \
         center centre council office college bureau board federation universitat universite universidad institut \
         ministere ministerio musee museo banco banque hopital ecole escuela union league ministerium amt hospital \
         court",
    ),
    (
        Cue::PlaceEnd,
        "street road avenue lane square park lake river valley island islands beach bridge airport station tower \
         castle center centre hill hills mountain mountains bay canyon falls forest desert coast plaza boulevard \
         palace gardens harbor harbour strasse platz gasse allee ufer tor county peninsula ocean sea trail glacier \
         district arena stadium hall zoo library theater theatre",
    ),
    (
        Cue::PlaceStart,
        "lake mount mt st saint cape fort port rue via calle plaza piazza place san santa sao rio isle loch glen val \
         monte lago lac see playa villa gulf",
    ),
    (Cue::Particle, "van von de da di del della dos du la le der den ter ten bin ibn ben al el zu af av st"),
    (
        Cue::TechnicalTerm,
        "api http https json xml html css sql url uri ui ux cpu gpu ram ssd hr pr qa it ceo cto cfo coo vp pm am tv \
         pdf csv usb dns tls ssl ssh vpn ip tcp udp id ids ok faq diy eta asap fyi todo rfc iso utf md5 sha crud jwt \
         oauth sso mfa llm ai ml nlp ocr etl kpi okr roi sla slo crm erp cms cdn ci cd mvp poc dna mri ct bmi adhd \
         ptsd lgbtq gdpr vat pin dvd gps wifi lan mvcc lru crdt tdd oop orm sdk cli ide rest rpc dto rbac xss csrf \
         aes rsa lts eu-central phd msc bsc mba hiit gp er icu usd eur chf gbp nft diy'er tbd",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_be_several_cues() {
        assert!(Cue::Relation.has("sister") && Cue::Title.has("sister"));
        assert!(!Cue::Title.has("falcon"));
    }
}
