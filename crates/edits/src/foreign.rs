//! German, French, Spanish, Portuguese and Japanese words for the life of a thought.
//!
//! Words stand without their accents, as they come out of folding. Japanese is written without spaces; its words are
//! found by `japanese`.

use model::Status::{Archived, Completed, Open};

use std::borrow::Cow;

use super::lexicon::{
    Class::{
        All, And, AnyMore, Aside, Ask, Be, Because, But, Can, Did, Do, Edit, Filler, Future, Have, Hedge, If, It, Keep,
        Link, Mark, Maybe, Mistake, Must, NoLonger, Not, Past, Redo, Retract, Rewrite, Should, State,
        Status as StatusWord, Still, Thing, True, Undo, Useful, Verb, Want, We, Will, You,
    },
    Table,
};

/// Words, and phrases joined by `_`.
pub(super) const TABLE: Table = &[
    (
        State(Completed),
        "erledigt fertig abgeschlossen abgehakt beendet vollstandig gemacht geschafft getan geklart fertiggestellt \
         fait faite faits faites fini finie termine terminee accompli accomplie acheve achevee regle reglee resolu resolue \
         clos cloture cloturee complete completee \
         hecho hecha terminado terminada completado completada acabado acabada listo lista resuelto resuelta cerrado \
         finalizado finalizada cumplido todo_hecho todo_listo \
         feito feita concluido concluida terminei acabei fiz resolvido resolvida finalizada encerrado pronto pronta \
         completo completa fechado",
    ),
    (
        Verb(Completed),
        "abhaken abschliessen hake_*_ab haken_*_ab terminer cloturer cocher finir \
         terminar finalizar acabar concluir encerrar fechar cerrar completar",
    ),
    (
        State(Open),
        "offen unerledigt unvollstandig unfertig ouvert ouverte a_faire en_cours inacheve inachevee \
         abierto abierta pendiente incompleto incompleta por_hacer aberto aberta pendente por_fazer zu_erledigen zu_tun \
         inacabado",
    ),
    (
        Verb(Open),
        "offnen wiedereroffnen wiederherstellen reaktivieren oeffnen wiedereroeffnen eroffnen zuruckholen hol_*_zuruck \
         rouvrir reouvrir restaurer retablir reactiver desarchiver recuperer rouvre ouvrir restaure \
         reabrir restaurar recuperar reactivar desarchivar reabre abrir \
         desarquivar reativar reabra restaure recuperar",
    ),
    (
        State(Archived),
        "archiviert veraltet irrelevant hinfallig uberholt obsolet geloscht abgelaufen gegenstandslos uberflussig unnotig \
         entfallen abgesagt gestrichen ungultig \
         obsolete perime perimee archive archivee supprime supprimee depasse depassee caduc caduque inutile annule annulee \
         perimees \
         obsoleto obsoleta archivado archivada eliminado eliminada borrado caducado irrelevante desactualizado \
         desactualizada innecesario cancelado cancelada \
         arquivado arquivada desatualizado desatualizada ultrapassado apagado excluido excluida desnecessario",
    ),
    (
        Verb(Archived),
        "archivieren archiviere archivier loschen losche losch entfernen entferne verwerfen loeschen \
         archiver supprimer supprime_le effacer jeter enlever ecarter supprime-le \
         archivar archiva archivalo eliminar elimina borrar borra descartar eliminalo borralo quitar desechar \
         geloscht_werden archiviert_werden entfernt_werden weg_damit \
         arquivar arquive excluir apagar apague remover descartar",
    ),
    (Did, "hice hicimos fizemos erledigte j_ai_fait lo_hice"),
    (Do, "erledigen faire hacer hacerlo fazer machen tun"),
    (
        Useful,
        "relevant gultig notig aktuell wichtig benotigt gebraucht brauche brauchen brauch \
         pertinent pertinente valable valide utile necessaire actualite besoin important importante d_actualite \
         relevante relevantes valido valida vigente necesario necesaria necesito necesitamos util sirve \
         hace_falta necessario necessaria preciso precisamos vale",
    ),
    (
        True,
        "wahr richtig korrekt stimmt zutreffend vrai vraie correct juste cierto verdad correcto verdade verdadeiro certo",
    ),
    (
        Undo,
        "ruckgangig rueckgangig rueckgaengig zurucknehmen zurucksetzen nimm_*_zuruck mach_*_ruckgangig \
         annuler annule_la_derniere_modification annulez defaire revenir_en_arriere \
         deshacer deshaz deshazlo revertir \
         desfazer desfaca desfaz reverter",
    ),
    (Redo, "wiederholen retablir_la_modification refaire rehacer refazer wiederherstellen_der_anderung"),
    (
        Mark,
        "markieren markiere markier setzen setze marquer marque marquez mettre mets definir passer marcar marca marcalo marcala marquela marquelo \
         poner pon marcar marque coloque definir ponlo marcarlo",
    ),
    (
        Rewrite,
        "andern ersetzen ersetze hinzufugen fuge remplacer remplace ajouter ajoute changer change cambiar cambia \
        reemplazar anadir agregar agrega mudar mude trocar substituir adicionar acrescentar korrigieren korrigiere corriger \
        corregir corrigir modifier",
    ),
    (Keep, "behalten lassen lass garder garde laisser laisse mantener deja dejar manter mantenha deixar deixe"),
    (StatusWord, "statut estado zustand etat"),
    (
        Edit,
        "anderung letzte letzten derniere dernier modification modifications cambio ultimo ultima alteracao mudanca edicao \
         aktion edicion",
    ),
    (
        It,
        "das es dies diese dieser dieses den ihn sie ce cela ca c le la les lo los esto eso este isso isto disso disto ele o a cette cet esta",
    ),
    (
        Thing,
        "gedanke notiz aufgabe eintrag tache pensee rappel tarea nota pensamiento recordatorio tarefa pensamento lembrete punkt \
        element elemento",
    ),
    (All, "alles tout todo tudo"),
    (Link, "als auf comme como a para zu"),
    (Aside, "mit bei fur avec chez con com durch por par em en am um an"),
    (
        Filler,
        "bitte danke mal doch ja schon bereits jetzt einfach der die dem ein eine einen ganz wurde wird_gerade \
         s_il_te_plait s_il_vous_plait sil_te_plait sil_vous_plait stp svp merci deja maintenant ne n un une des d l s m y \
         t j qu que se oui ok \
         por_favor gracias ya ahora el los las una un se me te vez muchas \
         ja obrigado obrigada agora ja_foi os as uma da do de no na isto_aqui favor nochmal \
         schnell endlich enfin tambien tambem machen_bitte vielen dank",
    ),
    (
        Be,
        "ist war sind sein bin worden wurden est sont ete etait suis es fue ha_sido sido estan son era foi ser estao e esta sera_que",
    ),
    (Have, "habe haben hat ai avons a_ete he hemos ha tenho temos avez hab"),
    (We, "ich wir je nous yo nosotros eu on"),
    (Not, "nicht kein keine keinen pas jamais nunca nao nie jamas nada"),
    (
        NoLonger,
        "nicht_mehr nicht_langer kein_*_mehr plus ne_plus n_est_plus ya_no nao_e_mais nao_*_mais ja_nao nao_esta_mais nao_se_aplica_mais",
    ),
    (AnyMore, "mehr mais mas"),
    (
        Still,
        "noch wieder zuruck weiterhin immer_noch encore toujours a_nouveau de_nouveau nouveau todavia aun de_nuevo nuevo otra_vez ainda \
        de_novo novamente outra_vez",
    ),
    (Will, "werde werden wird wirst vais va_etre voy_a vou sera wollte"),
    (Should, "soll sollte devrait doit deberia debe deveria deve"),
    (Must, "muss mussen dois devons tengo_que tenemos_que hay_que tenho_que temos_que"),
    (
        Can,
        "kann konnen kannst konntest konnten peux pouvez pourrais pourriez peut puedes podrias podria puede podemos pode poderia podes",
    ),
    (You, "du tu vous usted voce ihr"),
    (Want, "mochte will_ich voudrais veux quiero queria quero gostaria"),
    (Hedge, "fast beinahe teilweise halb presque quasiment partiellement casi parcialmente quase medio meio moitie"),
    (
        Maybe,
        "vielleicht wahrscheinlich glaube peut_etre probablement crois quiza quizas talvez provavelmente acho creo tal_vez",
    ),
    (If, "si wenn falls sobald bis quand lorsque des_que jusqu cuando hasta quando ate caso avant bevor antes"),
    (Ask, "warum wieso wann wie wer wo pourquoi comment quand_est_ce por_que cual quien porque_e"),
    (Past, "gestern heute vorhin hier aujourd_hui aujourd hui ayer hoy ontem hoje letzte_woche semaine_derniere"),
    (
        Future,
        "morgen spater bald nachste demain bientot manana luego pronto_mas amanha depois mais_tarde plus_tard prochaine proxima",
    ),
    (Because, "weil da_wir denn parce car puisque porque ya_que pois"),
    (And, "und et y"),
    (But, "aber pero sino"),
    (Mistake, "versehentlich aus_versehen par_erreur por_error por_engano par_accident sin_querer"),
    (Retract, "egal schon_gut laisse_tomber nicht_s olvidalo esquece"),
];

/// `den Satz über die Pilze entfernen` as `entferne den Satz über die Pilze`: German puts the verb of a request last.
pub(super) fn verb_first(request: &str) -> Cow<'_, str> {
    const VERBS: &[(&str, &str)] = &[
        ("entfernen", "entferne"),
        ("löschen", "lösche"),
        ("streichen", "streiche"),
        ("ergänzen", "ergänze"),
        ("notieren", "notiere"),
        ("ändern", "ändere"),
        ("korrigieren", "korrigiere"),
        ("ersetzen", "ersetze"),
        ("verschieben", "verschiebe"),
    ];
    // `der Termin wurde auf den 19. Mai verschoben`
    let (body, more) =
        request.split_once(". ").map_or((request, String::new()), |(body, more)| (body, format!(". {more}")));
    let body = body.trim_end_matches(['.', '!', ' ']);
    let shifted = [
        " verschoben",
        " verlegt",
        " geändert",
        " gelegt",
        " vorverlegt",
        " erhöht",
        " gesenkt",
        " gestiegen",
        " gesunken",
        " gefallen",
    ];
    if let Some(body) = shifted.iter().find_map(|verb| body.strip_suffix(verb))
        && let Some((subject, new)) =
            [" wurde auf ", " wird auf ", " ist auf ", " wurden auf "].iter().find_map(|joint| body.split_once(joint))
    {
        let new = ["den ", "die ", "das "].iter().find_map(|article| new.strip_prefix(article)).unwrap_or(new);
        return Cow::Owned(format!("{subject} ist jetzt {new}{more}"));
    }
    let end = request.find(". ").into_iter().chain(request.find(", ")).chain(request.find("; ")).min();
    let end = end.unwrap_or(request.trim_end_matches(['.', '!', ' ']).len());
    let (clause, rest) = request.split_at(end);
    let clause = clause.trim_end();
    let moved = VERBS.iter().find_map(|(last, first)| {
        let object = clause.strip_suffix(last)?.strip_suffix(' ')?;
        let object = ["Bitte ", "bitte "].iter().find_map(|polite| object.strip_prefix(polite)).unwrap_or(object);
        Some(format!("{first} {object}{rest}"))
    });
    moved.map_or(Cow::Borrowed(request), Cow::Owned)
}
