"""Running text in several languages, a few sentences of each."""

SENTENCES = {
    "en": (
        "The package manager keeps track of what is installed on the machine and of what each "
        "package needs.",
        "When the administrator asks for a new program, it is fetched with all that it depends on.",
        "You can also remove what is not used any more, but this should be done with care.",
        "Most of the time there is nothing to decide, because the defaults have been chosen well.",
        "In this chapter we show how the tool was built and which of its parts can be replaced.",
    ),
    "de": (
        "Die Paketverwaltung merkt sich, was auf dem Rechner installiert ist und was jedes Paket "
        "benötigt.",
        "Wenn ein neues Programm verlangt wird, holt sie es mit allem, wovon es abhängt.",
        "Man kann auch entfernen, was nicht mehr gebraucht wird, aber das sollte mit Vorsicht "
        "geschehen.",
        "Meistens ist nichts zu entscheiden, weil die Vorgaben gut gewählt worden sind.",
        "In diesem Kapitel zeigen wir, wie das Werkzeug entstand und welche Teile sich ersetzen "
        "lassen.",
    ),
    "fr": (
        "Le gestionnaire de paquets sait ce qui est installé sur la machine et ce dont chaque "
        "paquet a besoin.",
        "Quand on lui demande un nouveau programme, il le télécharge avec tout ce qui lui est "
        "nécessaire.",
        "On peut aussi retirer ce qui n'est plus utilisé, mais cela se fait avec prudence.",
        "Le plus souvent, il n'y a rien à décider, car les valeurs par défaut ont été bien "
        "choisies.",
        "Dans ce chapitre, nous montrons comment l'outil a été conçu et quelles parties on peut "
        "remplacer.",
    ),
    "es": (
        "El gestor de paquetes sabe lo que está instalado en la máquina y lo que necesita cada "
        "paquete.",
        "Cuando se le pide un programa nuevo, lo descarga con todo lo que hace falta para usarlo.",
        "También se puede quitar lo que ya no se usa, pero conviene hacerlo con cuidado.",
        "Casi siempre no hay nada que decidir, porque los valores iniciales son los adecuados.",
        "En este capítulo mostramos cómo se hizo la herramienta y qué partes se pueden cambiar.",
    ),
    "it": (
        "Il gestore dei pacchetti sa che cosa è installato sulla macchina e di che cosa ha bisogno "
        "ogni pacchetto.",
        "Quando gli si chiede un nuovo programma, lo scarica con tutto quello che serve.",
        "Si può anche togliere ciò che non è più usato, ma è bene farlo con attenzione.",
        "Il più delle volte non c'è nulla da decidere, perché i valori sono stati scelti bene.",
        "In questo capitolo vediamo come è nato lo strumento e quali delle sue parti si possono "
        "sostituire.",
    ),
    "pt": (
        "O gestor de pacotes sabe o que está instalado na máquina e do que cada pacote precisa.",
        "Quando se pede um programa novo, ele é trazido com tudo o que é necessário para o usar.",
        "Também se pode retirar o que já não é usado, mas isso deve ser feito com cuidado.",
        "Na maior parte das vezes não há nada a decidir, porque os valores foram bem escolhidos.",
        "Neste capítulo mostramos como a ferramenta foi feita e que partes dela podem ser "
        "trocadas.",
    ),
    "nl": (
        "De pakketbeheerder weet wat er op de machine is geïnstalleerd en wat elk pakket nodig "
        "heeft.",
        "Als er een nieuw programma wordt gevraagd, haalt hij het op met alles wat nodig is.",
        "Je kunt ook weghalen wat niet meer wordt gebruikt, maar dat moet met zorg gebeuren.",
        "Meestal is er niets te beslissen, omdat de standaarden goed zijn gekozen.",
        "In dit hoofdstuk laten we zien hoe het is gemaakt en welke delen te vervangen zijn.",
    ),
    "sv": (
        "Pakethanteraren vet vad som är installerat på datorn och vad varje paket behöver.",
        "När man ber om ett nytt program hämtas det med allt som det beror på.",
        "Det går också att ta bort det som inte används längre, men det bör göras med omsorg.",
        "För det mesta finns det inget att bestämma, eftersom värdena har valts väl.",
        "I det här kapitlet visar vi hur verktyget blev till och vilka delar av det som kan bytas.",
    ),
    "ru": (
        "Менеджер пакетов знает, что установлено на компьютере и что нужно каждому пакету.",
        "Когда нужна новая программа, он загружает её со всем, от чего она зависит.",
        "Можно также удалить то, что больше не используется, но это надо делать осторожно.",
        "Чаще всего решать нечего, так как значения по умолчанию были выбраны хорошо.",
        "В этой главе мы покажем, как он был создан и какие его части можно заменить.",
    ),
    "ja": (
        "パッケージ管理は、計算機に何が導入されているか、各パッケージが何を必要とするかを記録している。",
        "新しいプログラムを求めると、それが依存するものもすべて取り寄せる。",
        "使われなくなったものは取り除くこともできるが、注意して行うべきである。",
        "既定の値はよく選ばれているので、たいてい何も決める必要がない。",
        "この章では、道具がどのように作られ、どの部分を置き換えられるかを示す。",
    ),
    "zh": (
        "软件包管理器记录机器上安装了什么以及每个软件包需要什么。",
        "需要新的程序时,它会连同所依赖的一切一起下载。",
        "不再使用的东西也可以删除,但是应当小心。",
        "大多数时候没有什么需要决定,因为默认值选得很好。",
        "本章说明这个工具是怎样做成的,哪些部分可以替换。",
    ),
    "ko": (
        "패키지 관리자는 컴퓨터에 무엇이 설치되어 있고 각 패키지에 무엇이 필요한지 기록한다.",
        "새 프로그램을 요청하면 그것이 의존하는 모든 것을 함께 가져온다.",
        "더 이상 쓰지 않는 것은 지울 수도 있지만 조심해야 한다.",
        "기본값이 잘 선택되어 있어서 대개 결정할 것이 없다.",
        "이 장에서는 도구가 어떻게 만들어졌고 어느 부분을 바꿀 수 있는지 보인다.",
    ),
}
"""Five sentences about the same in each language (ISO 639-1)."""

REFERENCES = (
    "[1] A. Lee and B. Roe. The design of a package manager for the desktop. In Proceedings of the "
    "Conference on Systems, pages 101-120, 1997.",
    "[2] C. Diaz. On the reliability of software that is installed over the network. Journal of "
    "Systems, 12(2):33-48, 2001.",
    "[3] D. Stone, E. Brook. Dependency resolution: a survey of methods. ACM Press, 2004.",
    "[4] F. Hill. Learning to schedule updates with little memory. Machine Learning, 7:1-20, 1999.",
)
"""Entries of an English bibliography."""

CODE = (
    "$ apt-get install foo bar\nReading package lists... Done\nBuilding dependency tree... Done",
    "The following packages will be upgraded: foo bar\n2 upgraded, 0 newly installed, 0 to remove",
    "for (int i = 0; i < n; i++) { if (list[i] == NULL) return -1; }",
    "def install(name, version=None): with open(path) as file: return file.read()",
)
"""Listings as they are in manuals, with English messages."""
