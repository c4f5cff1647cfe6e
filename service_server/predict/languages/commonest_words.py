"""
The commonest words of each language: most prompts have one of them, and hardly any in English.

They stand here and not in the lists of words, which need not be read for a prompt in English.
"""

from service_server.predict.words import word_set

COMMONEST_WORDS = {
    "de": word_set(
        """der das den dem des ein eine einen einem einer und oder nicht ist sind im vom zum zur bei mit für auf aus
        nach von bitte mir mein meine meinen meinem meiner unser alle welche welcher welches wer wie wann wo dass
        diese dieser dieses gibt haben hast wir uns kein keine sie ich kannst könntest können könnten möchte will
        habe hat wurde zeig zeige lösche lösch löschen erstelle erstell erstellen schick schicke sende senden
        schreib schreibe leg lege anlegen setz setze such suche füge füg hinzufügen gib mach mache neue neuen
        neuer neues zu die liste trag trage stell stelle ändere ändern benenne weise weis archiviere archivieren
        schließe schließen suchen verschiebe verschieben antworte lies lade lad kündige storniere entferne
        entfernen hol hole nimm markiere füll öffne öffnen aktualisiere aktualisieren kommentiere exportiere
        kopiere starte beende merge hänge häng verschick verschicke plane buche"""
    ),
    "es": word_set(
        """el la los las un una unos unas de del al en con para por que y o es está mi mis tu su qué cuál cuáles
        quién cómo cuándo dónde hay favor puedes podrías quiero quisiera necesito crea crear borra elimina envía
        manda muestra muéstrame enséñame cuántos cuántas tenemos tengo este esta estos estas fue dame dime busca
        añade agrega pon cambia abre cierra lista nuevo nueva todos todas registra mueve marca asigna archiva
        renombra responde invita cancela actualiza comenta publica quita anota apunta programa reserva comparte
        convierte sube descarga copia genera envíale mándale dile avisa consulta reembolsa asígnale ponle"""
    ),
    "fr": word_set(
        """le la les un une des du de au aux en dans sur avec pour par et ou ne pas est sont mon ma mes ton ta ce
        cette ces qui que quel quelle quels quelles quand où comment je tu il nous vous moi merci plaît crée créer
        supprime supprimer envoie envoyer montre affiche donne ajoute ajouter mets ouvre ferme cherche liste
        nouveau nouvelle tous toutes a-t avons ai as-tu combien c'est j'ai qu'est est-ce renomme déplace marque
        assigne attribue archive réponds invite annule clôture résilie publie planifie réserve partage enlève
        retire efface trouve écris dis passe génère télécharge copie rembourse notez note modifie"""
    ),
    "pt": word_set(
        """o os um uma uns umas de do da dos das na nos nas ao à em com para por pelo pela que e ou não é está são
        meu minha meus minhas seu sua qual quais quem como quando onde favor pode poderia quero preciso gostaria
        você crie criar apague apagar exclua excluir envie enviar manda mostre mostra mostrar me dê adicione
        adicionar coloque coloca abra feche procure liste novo nova todos todas renomeie renomeia mova remova
        marque marca agende agenda convide mude muda responda responde inscreva arquive arquiva cancele cancela
        encerre encerra atribua atribui registre registra cadastre cadastra busque busca faça faz gere gera altere
        altera foi temos tenho quantos quantas tem faltam existem pra pro deste desta neste nesta isso este esta
        estes estas lista publique publica comente reembolse baixe copie atualize"""
    ),
}
