"""Names of people from many cultures, written with the letters of Latin-1."""

from __future__ import annotations

import unicodedata

_CULTURES = """
Alice Andrew Anne Arthur Charles Claire Daniel Eleanor Emma George Helen Henry James Jane Laura Martin Matthew Oliver Rachel Thomas | Adams Atkinson Baker Barlow Bennett Bradley Carter Clayton Cooper Dawson Ellis Fletcher Foster Gibson Harper Hewitt Hughes Jenkins Lambert Marsh Morgan Norton Parker Pearson Preston Reynolds Sanders Shaw Spencer Turner Walker Webster Whitman Woods
Brendan Ciara Conor Deirdre Eoin Fiona Liam Maeve Niamh Patrick Sean Una | Brennan Byrne Callaghan Doyle Gallagher Kavanagh Keane Kelleher Lynch Maguire Murphy Nolan Quinn Rafferty Sheehan Sweeney Tierney
Anke Bernd Christoph Claudia Dieter Eva Florian Gisela Hans Ingrid Jürgen Karin Klaus Lena Markus Petra Sabine Stefan Uwe Wolfgang | Albrecht Bauer Becker Brandt Dietrich Engel Fischer Günther Hartmann Hoffmann Jäger Keller Kröger Lindner Meyer Müller Neumann Pfeiffer Richter Schäfer Schneider Schröder Schulz Steiner Vogel Wagner Weber Werner Winkler Zimmermann
Antoine Céline Claire Denis Élise François Hélène Isabelle Jacques Julien Léa Louis Mathilde Nathalie Pascal Pierre René Sophie | Aubert Bernard Blanc Bonnet Bouchard Chevalier Delacroix Dubois Dupont Durand Fontaine Fournier Garnier Girard Lambertin Lefebvre Leroy Marchand Mercier Moreau Perrin Renaud Rousseau Roux Simonet Vidal
Alberto Alessandra Andrea Bianca Carlo Chiara Davide Elena Fabio Francesca Giovanni Giulia Lorenzo Lucia Marco Paola Roberto Silvia | Barbieri Bellini Bianchi Caruso Colombo Conti Costa Esposito Ferrari Fontana Gallo Greco Lombardi Mancini Marini Moretti Neri Orlando Pellegrini Ricci Rinaldi Romano Rossi Santoro Serra Testa Vitale
Alejandro Ana Beatriz Carlos Carmen Cristina Diego Elena Fernando Gabriela Ignacio Inés Javier José Lucía Luis María Mateo Pablo Rosa | Aguilar Alonso Álvarez Cabrera Castillo Castro Delgado Domínguez Fernández Flores García Gómez González Guerrero Gutiérrez Herrera Jiménez López Martínez Medina Molina Morales Navarro Ortega Ortiz Peña Ramírez Ramos Reyes Rivera Rodríguez Romero Ruiz Sánchez Soto Suárez Torres Vargas Vega
Afonso Beatriz Bruno Catarina Duarte Filipa Inês João Joana Marta Miguel Paulo Rafael Rita Sofia Tiago | Almeida Barbosa Cardoso Carvalho Coelho Correia Esteves Fonseca Lopes Machado Magalhães Monteiro Nogueira Oliveira Pereira Pinto Ribeiro Rocha Salgado Santos Silva Tavares Teixeira
Anders Astrid Björn Eero Elin Erik Freja Hanna Ingrid Jens Kari Lars Maja Mikkel Nils Oskar Sigrid Sven | Andersson Berglund Carlsen Dahl Ekström Eriksson Forsberg Gustafsson Haugen Hedlund Holm Isaksson Jensen Johansson Karlsson Korhonen Lindqvist Lund Mäkinen Nielsen Nilsson Nyström Olsen Rasmussen Sandberg Solberg Sørensen Strand Virtanen Westergaard
Anneke Bart Daan Femke Hendrik Ilse Jan Joost Katrien Lotte Maarten Pieter Roos Sander Wim | Bakker Claes Dekker Dijkman Hendriks Hermans Jacobs Janssen Kuiper Meijer Mulder Peeters Smit Smeets Verbeek Verhoeven Vermeulen Visser Willems
Adam Agnieszka Barbora Eva Hana Jakub Jana Katarzyna Magdalena Marek Milan Pavel Piotr Tomasz Zuzana | Bielak Dvorak Horak Jankowski Kaminski Kowalski Kral Kubicki Lewandowski Malecki Nemec Novak Nowicki Pokorny Prochazka Sadowski Svoboda Urban Vesely Wojcik Zelenka Zielinski
Alexei Anna Boris Daria Dmitri Ekaterina Irina Ivan Katya Leonid Mikhail Natalia Nikolai Olga Oleg Sergei Svetlana Vera | Antonov Belov Bogdanov Fedorov Gusev Ivanov Karpov Kovalenko Kozlov Kuznetsov Lebedev Makarov Melnyk Mironov Morozov Orlov Pavlenko Petrov Romanenko Shevchenko Smirnov Sokolov Volkov Zaitsev
Andreas Dimitra Eleni Georgios Ioanna Katerina Kostas Maria Nikos Sofia Stavros Yannis | Alexiou Dimitriou Economou Georgiou Ioannou Kanellis Konstantinou Makris Nikolaidis Pappas Petridis Samaras Stavrou Theodorou Vlachos
Aylin Burak Cem Defne Elif Emre Gül Kemal Leyla Mehmet Murat Selin Yusuf Zeynep | Aksoy Arslan Aydin Bayrak Demir Erdem Güler Kaya Koç Korkmaz Ozkan Polat Sahin Tekin Yildiz Yilmaz
Ali Amira Dalia Fatima Hassan Ibrahim Karim Layla Mariam Nadia Omar Rania Salma Samir Tarek Yasmin | Abbas Aziz Darwish Fahmy Farouk Habib Haddad Hamdan Ismail Khalil Khoury Mansour Mustafa Nasser Qasim Rahman Saleh Shaheen Youssef Zaki
Arash Azadeh Bahram Behnaz Darius Kaveh Laleh Mina Nasrin Omid Parisa Reza Shirin | Ahmadi Akbari Azimi Bahrami Daneshvar Ebrahimi Farahani Ghorbani Hosseini Jafari Karimi Moradi Naderi Rahimi Sadeghi Tehrani
Amit Ananya Anil Arjun Deepa Divya Kavita Lakshmi Manish Meera Neha Pradeep Priya Rahul Rajesh Sanjay Sunita Vikram | Agarwal Banerjee Bhatt Chakraborty Chandra Chopra Das Deshpande Gupta Iyer Joshi Kapoor Khanna Krishnan Kulkarni Kumar Malhotra Mehta Menon Mishra Mukherjee Nair Narayanan Pandey Patel Pillai Rao Reddy Sharma Singh Srinivasan Subramanian Varma
Aiko Akira Haruka Hiroshi Kenji Keiko Makoto Mariko Naoki Ryo Sakura Satoshi Takeshi Tomoko Yoko Yuki | Abe Fujimoto Hashimoto Hayashi Ikeda Inoue Ishikawa Ito Kato Kimura Kobayashi Matsumoto Mori Murakami Nakamura Nishida Ogawa Okada Saito Sasaki Sato Shimizu Suzuki Takahashi Tanaka Ueda Watanabe Yamada Yamamoto Yoshida
Bo Fang Feng Hui Jian Jing Jun Lan Lei Li Mei Min Ping Qing Wei Xiao Ying Yong Yun Zhen | Cai Chen Cheng Deng Dong Fan Gao Guo Han He Huang Jiang Liang Lin Liu Lu Luo Ma Pan Peng Qian Shen Song Sun Tang Wang Wu Xie Xu Yang Yuan Zeng Zhang Zhao Zheng Zhou Zhu
Eun-Ji Hana Hyun-Woo Jae-Min Ji-Hoon Ji-Woo Min-Jun Seo-Yeon So-Young Sung-Ho Yoon-Ah Young-Jin | Bae Choi Chung Hwang Jang Jung Kang Kim Kwon Lim Moon Nam Oh Park Seo Shin Yoon
Anh Binh Dung Hai Hoa Huong Lan Linh Minh Nam Phuong Quang Thanh Thu Tuan | Bui Dang Duong Hoang Huynh Ngo Nguyen Pham Phan Tran Trinh Truong Vu
Adisa Amara Chidi Chinwe Efua Emeka Femi Folake Kofi Kwame Ngozi Tunde Yaa Zainab | Abiodun Achebe Adeyemi Afolabi Amadi Asante Balogun Boateng Danso Eze Mensah Nwosu Obi Okafor Okonkwo Okoye Osei Owusu Sowande Uche
Abebe Aster Barasa Dawit Hanna Juma Kamau Makena Mwangi Naomi Selam Tesfaye Wanjiru Yohannes | Abera Alemu Bekele Gebre Haile Kamara Kariuki Kimani Kiprop Mbeki Mutua Ndlovu Njoroge Nkosi Ochieng Odhiambo Tadesse Tesfaye Wambui
Avi Dana Daniel David Ilana Michal Miriam Noa Rachel Ruth Shira Tamar Yael Yosef | Avraham Ben-Ami Dayan Eliav Goldberg Halevi Katz Lavi Levin Mizrahi Peretz Rosen Shapira Shalev Weiss
"""  # noqa: E501


def _fold(name: str) -> str:
    """Return a name in the letters of a login."""
    plain = unicodedata.normalize("NFKD", name.replace("ø", "o").replace("ß", "ss"))
    return "".join(letter for letter in plain.lower() if "a" <= letter <= "z")


def _read() -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    surnames: dict[str, tuple[str, ...]] = {}
    for line in _CULTURES.strip().splitlines():
        given, families = (tuple(part.split()) for part in line.split("|"))
        for family in families:
            surnames.setdefault(family, given)
    return tuple(surnames), tuple(surnames.values())


SURNAMES, _GIVEN_NAMES = _read()
LOGINS = tuple(_fold(name) for name in SURNAMES)
"""The login names of the surnames, all different."""


def full_name(surname: int, code: int) -> str:
    """Return a name with the `surname`-th surname; `code` chooses a given name of its culture.

    >>> full_name(0, 1)
    'Andrew Adams'
    """
    given = _GIVEN_NAMES[surname]
    return f"{given[code % len(given)]} {SURNAMES[surname]}"


def any_name(code: int) -> str:
    """Return the name of a person who works nowhere in the generated web."""
    return full_name(code % len(SURNAMES), code >> 12)
