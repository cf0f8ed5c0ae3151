//! The words that hold sentences together: articles, pronouns, auxiliaries, prepositions, question words.
//!
//! - They tell the language of a text, and in a query they say little about what is looked for.
//! - A word may serve several languages; the answer is a set of them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::fold::fold;
use super::language::{Language, Languages};

/// The languages in which `lower`, a word in lower case, is a function word, accents and all.
///
/// For telling languages apart: without its accent, the Romanian `cât` would be an English animal.
pub(super) fn spelled_in(lower: &str) -> Languages {
    TABLES.spelled.get(lower).copied().unwrap_or_default()
}

/// The languages in which `folded` is a function word written without its accents.
pub fn languages_of(folded: &str) -> Languages {
    TABLES.folded.get(folded).copied().unwrap_or_default()
}

struct Tables {
    spelled: FxHashMap<&'static str, Languages>,
    folded: FxHashMap<String, Languages>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { spelled: FxHashMap::default(), folded: FxHashMap::default() };
    for (language, words) in LISTS {
        for word in words.split_ascii_whitespace() {
            tables.spelled.entry(word).or_default().insert(*language);
            tables.folded.entry(fold(word)).or_default().insert(*language);
        }
    }
    tables
});

const LISTS: &[(Language, &str)] = &[
    (Language::English, ENGLISH),
    (Language::German, GERMAN),
    (Language::French, FRENCH),
    (Language::Spanish, SPANISH),
    (Language::Portuguese, PORTUGUESE),
    (Language::Italian, ITALIAN),
    (Language::Dutch, DUTCH),
    (Language::Swedish, SWEDISH),
    (Language::Danish, DANISH),
    (Language::Norwegian, NORWEGIAN),
    (Language::Finnish, FINNISH),
    (Language::Hungarian, HUNGARIAN),
    (Language::Romanian, ROMANIAN),
    (Language::Turkish, TURKISH),
    (Language::Russian, RUSSIAN),
    (Language::Greek, GREEK),
    (Language::Arabic, ARABIC),
];

// Contractions are listed the way the analyser leaves them, without the apostrophe.
const ENGLISH: &str = "a about above after again against all also am an and any anyone anything are arent around as at \
    be because been before being below between both but by can cannot cant could couldnt did didnt do does doesnt \
    doing dont down during each either else ever every everyone everything for from further had hadnt has hasnt have \
    havent having he her here hers herself him himself his how however i if in into is isnt it its itself just ll me \
    might mightnt mine more most must mustnt my myself neither no nor not of off on once one only onto or other our \
    ours ourselves out over own re shall shant she should shouldnt since so some someone something such than that \
    the their theirs them themselves then there these they this those though through to too toward towards under \
    until up upon us ve very was wasnt we were werent what whatever when where whether which while who whom whose why \
    will with within without wont would wouldnt yet you your yours yourself yourselves";

const GERMAN: &str = "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis \
    bist da damit dann das dass dein deine deinem deinen deiner dem den denn der des dessen deren dich die dies diese \
    diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für \
    gegen hab habe haben hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist jede \
    jedem jeden jeder jedes jene kann kein keine keinem keinen keiner können könnte mal man mein meine meinem meinen \
    meiner mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen \
    seiner seit sich sie sind so soll sollen sollte sondern über um und uns unser unsere unter viel vom von vor wann \
    war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder \
    will wir wird wo wohin woher wurde wurden zu zum zur zwischen";

const FRENCH: &str = "a à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avant avec avez avoir \
    avons car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment d dans de depuis des donc \
    dont du elle elles en encore entre es est et étaient était êtes être eu eux fait font ici il ils j je l la là le \
    les leur leurs lors lui ma mais me même mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas \
    pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se sera ses si son \
    sont sous sur ta te tes toi ton tous tout toute toutes très tu un une vers voici voilà vos votre vous y";

const SPANISH: &str = "a al algo alguien algún alguna algunas algunos ante antes aquel aquella así aunque bajo cada \
    como cómo con contra cual cuál cuáles cuando cuándo cuánto cuántos cuya de del desde donde dónde durante e el él \
    ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está estaba están estar este esto estos \
    estoy fue fueron ha había han has hasta hay he hemos la las le les lo los más me mi mí mis mucho muy nada ni no \
    nos nosotros nuestra nuestro o os otra otro para pero poco por porque qué que quien quién quiénes se sea según \
    ser si sí sido sin sobre son soy su sus también te ti tiene tienen todo todos tu tú tus un una unas uno unos \
    usted ustedes vosotros y ya yo";

const PORTUGUESE: &str = "a à alguém algum alguma ao aos aquela aquele aquilo as às até cada com como da das de dela \
    dele deles depois do dos durante e é ela elas ele eles em entre era eram essa esse esta está estão estar estas \
    estava este estes estou eu foi foram há isso isto já lhe mais mas me mesmo meu meus minha minhas muito na não nas \
    nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque porquê qual quais quando \
    quanto quantos que quê quem são se sem ser seu seus só sobre sua suas também te tem têm ter teu tinha toda todo \
    todos tu tua um uma umas uns você vocês vos";

const ITALIAN: &str = "a abbiamo ad agli ai al alcuni all alla alle allo altri altro anche ancora avere c che chi ci \
    ciò come con contro così cui d da dagli dai dal dall dalla dalle degli dei del dell della delle dello di dopo \
    dove e è ed era erano essere fa fra fu gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie \
    miei mio molto ne negli nei nel nell nella nelle nello no noi non nostra nostro o ogni per perché però più poi \
    prima quale quali quando quanti quanto quel quella quelle quelli quello questa queste questi questo qui se sei \
    senza si sia siamo sono sopra sotto sta su sua sue sugli sui sul sulla suo suoi te ti tra tu tua tuo tutta tutti \
    tutto un una uno vi voi vostra vostro";

const DUTCH: &str = "aan al alle alleen als altijd andere ben bij daar dan dat de deze die dit doch door dus een en er \
    geen haar had hadden heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan \
    kon kunnen maar meer men met mij mijn moet moeten na naar naast niet niets nog nu of om omdat onder ons onze ook \
    op over te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel welk welke \
    werd wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou zouden";

const SWEDISH: &str = "alla allt att av bara blev bli blir de dem den denna deras dess det detta dig din dina ditt du \
    där då efter eller en er ett från för ha hade han hans har henne hennes hon honom hur här i icke inte ingen inom \
    jag ju kan kunde man med mellan men mig min mina mitt mot mycket måste ni nu när någon något några och om oss på \
    sedan sig sin sina sitt ska skall skulle som så till under upp ur ut utan vad var vara varför varje vart vem vems \
    vi vid vilka vilken vilket vår våra är åt över";

const DANISH: &str = "af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine disse \
    dit dog du efter eller en end er et for fordi fra få før ham han hans har havde have hende hendes her hos hun hvad \
    hvem hvis hvor hvordan hvorfor hvornår hver i ikke ind ingen jeg jer kan kunne man mange med meget mellem men mig \
    min mine mit mod må ned nej noget nogle nogen nu når og også om op os over på samt se selv sig sin sine sit skal \
    skulle som sådan til ud uden under var ved vi vil ville vor være været";

const NORWEGIAN: &str = "alle alt andre at av ble bli blir da de dem den denne der deres det dette di din disse ditt du \
    då eller en enn er et ett etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva hvem hvilken \
    hvis hvor hvordan hvorfor i ikke ingen inn jeg kan kunne man mange med meg mellom men mer min mine mitt mot mye må \
    nei noe noen nå når og også om opp oss over på seg selv sin sine sitt skal skulle slik som så til ut uten var ved \
    vi vil ville vår være vært";

const FINNISH: &str = "ei eivät että he hän hänen hänet häntä ilman itse ja jo joka jos jossa jotka kanssa kuin kuinka \
    kuka kun ketkä me meidän meillä mihin mikä miksi milloin minkä minulla minun minut minä missä mistä mitä miten \
    mutta mukaan myös ne niin niiden nyt ole olen olet oli olisi olivat olla on ovat se sekä sen siellä siinä sillä \
    sinun sinä sitä tai te tämä tämän tässä vaan vai vain voi";

const HUNGARIAN: &str = "a ahol aki akik ami amikor az azt azok be csak de e egy együtt el én ennek erre ez ezek ezt \
    fel hanem hogy hogyan hol honnan hová ha igen így is itt ki kicsoda kik le lehet lesz ma már meg mely melyik \
    mert mi mik miért mikor milyen mindig mint mit nagyon nekem neki nem nincs ő ők olyan ott pedig s sem szerint \
    te ti től után vagy vagyok van vannak volt voltak";

const ROMANIAN: &str = "a acea aceasta această aceea acel acest acesta aceste acum ai al ale am ar are asta așa au ca \
    care ce cel cele cine când cât cu cum da dacă dar de deci despre din doar după e ea ei el ele era este eu eram \
    fără fi fie fost ia în între îi îl îmi își îți la le li lor lui mai mea mei mele meu mi ne nici noi nostru nu o \
    or ori pe pentru prin sa să sale sau se si și sub sunt sus te tot toate toți tu un una unde unei unor unui va vă \
    voi vom vor";

const TURKISH: &str = "acaba ama ancak bana bazı belki ben beni benim bir biri biz bize bizim bu buna bunu bunun burada \
    çok çünkü da daha de defa değil diye en gibi hangi hem hep hepsi her hiç için ile ise kaç kadar ki kim kimi kimin \
    mı mu mü nasıl ne neden nedir nerede nereye niçin niye o olan olarak oldu olduğu on ona onlar onların onu onun \
    sana sen seni senin siz sizin sonra şey şu tüm var ve veya ya yani yok";

const RUSSIAN: &str = "а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для \
    до его ее если есть еще же за здесь и из или им их к как какая какие какой какого когда кого кому который которая \
    которые кто куда ли либо между меня мне может мой моя мы на над надо наш не него нее нет ни них но ну о об однако \
    он она они оно от откуда очень по под после потому почему при про с сам свой себя сейчас со так также такой там \
    тебя тем теперь то тогда того тоже только том тот ты у уже хотя чего чей чем через что чтобы чья эта эти это этого \
    этой этот этом я";

const GREEK: &str = "αλλά αν από αυτά αυτή αυτό αυτός για γιατί δε δεν είμαι είναι ένα ένας έχει έχω ή η θα και κάθε \
    κάτι κι με μέσα μετά μη μην μια μου να ο οι όπου όπως όταν ότι ου πιο ποια ποιο ποιος πολύ που πού πότε πώς πως \
    σαν σας σε στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως";

const ARABIC: &str = "في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف لماذا هل كم أي أن إن كان \
    كانت يكون هو هي هم نحن أنا أنت لا لم لن ليس أو و ثم قد كل بعد قبل بين عند";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_words_are_known_with_and_without_accents() {
        assert!(languages_of("who").contains(Language::English));
        assert!(languages_of("donde").contains(Language::Spanish));
        assert!(languages_of(&fold("où")).contains(Language::French));
        assert!(languages_of(&fold("почему")).contains(Language::Russian));
    }

    #[test]
    fn words_that_carry_meaning_are_not_listed() {
        for word in ["caroline", "school", "haus", "maison"] {
            assert_eq!(languages_of(word), Languages::default(), "{word}");
        }
    }
}
