"""The phrases and sentences of companies, by line of business and kind of page."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.sites.generated.grammar import Template, plural, templates
from lycosa.sites.generated.subjects import Noun
from lycosa.sites.generated.words import PRODUCTS

_TABLE = """
Pumps | industrial pump; hydraulic valve; impeller; pressure seal; water pump | water works; chemical plants; shipyards | higher flow; longer maintenance intervals; better efficiency | dry running; worn seals
Sensors | temperature sensor; pressure probe; wireless transmitter; signal converter; calibration unit | laboratories; food producers; weather services | higher accuracy; a wider measuring range; faster calibration | signal noise; drift
Software | reporting platform; workflow engine; security module; analytics dashboard; license server | enterprises; public agencies; small firms | simpler integration; fewer upgrades; better reporting | data loss; slow queries
Logistics | warehouse service; freight contract; tracking system; customs service; delivery network | retailers; car makers; publishers | shorter delivery times; lower storage costs; complete tracking | late shipments; lost pallets
Medical | diagnostic device; imaging system; surgical instrument; patient monitor; therapy unit | hospitals; clinics; research institutes | safer care; sterile handling; earlier diagnosis | false alarms; infections
Energy | wind turbine; solar module; battery store; grid controller; power plant | utilities; cities; farms | lower carbon emissions; stable voltage; cheaper storage | power cuts; voltage peaks
Chemicals | surface coating; polymer resin; industrial adhesive; solvent; additive | paint makers; aircraft builders; packaging plants | higher purity; simpler formulation; safer processing | corrosion; cracks
Foods | organic snack; fruit drink; dairy product; spice mixture; breakfast cereal | supermarkets; bakeries; school kitchens | better taste; fresh ingredients; less packaging | spoilage; allergens
Tools | cordless drill; cutting blade; torque wrench; bench saw; grinding machine | workshops; carpenters; building firms | more torque; longer battery life; greater precision | broken blades; overheated motors
Banking | savings account; business loan; mortgage; payment service; investment fund | families; small firms; farmers | lower interest; faster payments; personal advice | unpaid invoices; fraud
Insurance | home policy; liability cover; life policy; claims service; travel policy | families; brokers; house owners | lower premiums; faster claims; wider coverage | storm damage; theft
Vehicles | electric truck; delivery van; trailer; diesel engine; wheel loader | fleet operators; mail services; mines | lower fuel use; better driver safety; longer service intervals | breakdowns; flat batteries
"""  # noqa: E501


class Business(NamedTuple):
    """A line of business: what is sold, to whom, what for, and against what."""

    products: tuple[Noun, ...]
    customers: tuple[str, ...]
    benefits: tuple[str, ...]
    troubles: tuple[str, ...]


def _rows() -> tuple[Business, ...]:
    rows = {}
    for line in _TABLE.strip().splitlines():
        name, *lists = (
            tuple(phrase.strip() for phrase in cell.split(";")) for cell in line.split("|")
        )
        products, customers, benefits, troubles = lists
        nouns = tuple(Noun(one, plural(one)) for one in products)
        rows[name[0]] = Business(nouns, customers, benefits, troubles)
    return tuple(rows[line.name] for line in PRODUCTS)


BUSINESSES = _rows()
"""The lines of business in the order of `PRODUCTS`."""

PAGES: dict[str, tuple[Template, ...]] = {
    "company": templates(
        """
{company} makes {products} and {products2} for {customers}.
The company was founded in {founded} by two engineers and is still owned by their families and by its people.
Our mission is to give customers {benefit} at a fair price.
Offices and partners in {small} countries are close to our customers.
We take responsibility for the people who work for us and for the places where we work.
Our history began with {a product} that nobody else wanted to build.
Quality, openness and fair partnership are the values of {company}.
The directors report to the owners twice a year.
More than {count} people work in our teams.
Whoever buys {a product} from us can rely on service for ten years.
"""  # noqa: E501
    ),
    "product": templates(
        """
Our {products} give {customers} {benefit}.
All models are available in three sizes and with a warranty of two years.
The datasheet lists the features and the specification of every model.
To order, contact our sales office or one of our partners.
{a product} from {company} protects you against {trouble}.
Customers compare our {products} with others and come back to us.
Prices depend on the quantity; ask for an offer.
A new range of {products2} will be shown in the spring.
The manual can be downloaded free of charge.
With the optional service contract, {trouble} can be avoided.
This solution was developed together with {customers}.
"""
    ),
    "press": templates(
        """
{company} announced today that it will supply {products} to {customers2}.
The agreement covers deliveries over {small} months.
Customers will benefit from {benefit}.
The launch of the new {products} is planned for the next quarter.
The chief executive said in a statement that the order shows the trust of the market.
For more information please contact our media office.
In the last quarter {company} sold more {products2} than ever before.
A new head of sales was appointed and will join the leadership team in May.
The company has also opened an office in {place}.
Pictures for the press are available on request.
"""
    ),
    "investor": templates(
        """
Revenue of the quarter rose by {percent} percent compared with the year before.
The board proposes a dividend for the fiscal year.
Earnings were driven by the demand for {products}.
The annual meeting of shareholders takes place in {place}.
All reports and filings of {company} are available on this page.
Shareholders can vote in person or by letter.
The principles of our corporate governance were revised in {year}.
Investment in new {products2} will continue in the next fiscal year.
The number of shares did not change.
"""
    ),
    "job": templates(
        """
We are looking for a candidate with experience in {products}.
Your responsibilities include the support of {customers}.
You have good communication skills and like to work in a team.
We offer a fair salary, flexible hours and good benefits.
Please send your resume and a short letter to our personnel office.
The position is open from {weekday} next week on.
You will report to the manager of the {product2} division.
Several years of experience in a similar position are required.
The location is {place}, with occasional travel.
"""
    ),
    "officers": templates(
        """
The management of {company} is responsible for strategy, finance and operations.
The board of directors appoints the chief executive officer and supervises the management.
Each officer is a member of at least one committee of the board.
The chairman of the board and the president are elected every three years.
"""
    ),
    "officer": templates(
        """
{who} joined {company} in {year} and was appointed {office} later.
{who} served as a director of a firm in the same industry before joining {company}.
{who} is a member of the board and of its finance committee.
For {years} years {who} worked in operations and in management.
As {office}, {who} is responsible for our business with {customers}.
{who} studied engineering and law and holds a degree in business.
"""
    ),
    "contact": templates(
        """
Our people in {place} will be happy to help you.
The office is open from Monday to Friday.
For service, please have the number of your {product} ready.
You can also write to us; we answer within two days.
"""
    ),
}

HEADLINES = templates(
    """
New {products} for {customers}
{company} opens office in {place}
{company} shows {products} at trade fair
{customers} choose {products} from {company}
{benefit} for {customers}
Record orders for {products}
How {customers} deal with {trouble}
Five questions about {products}
What to know before buying {a product}
A visit to our customers: {customers}
"""
)

INSTRUCTIONS = templates(
    """
How to find the right {product}
How to choose between {products} and {products2}
How to avoid {trouble}
How to order {a product}
How to compare {products}
How to get {benefit} with {products}
"""
)

SHEET_LINES = templates(
    """
Model: {product} {number}
Application: {customers}
Warranty: two years
Protection against {trouble}
Advantage: {benefit}
Order number: {number}
Accessories: {products2}
"""
)

STATEMENT_LINES = templates(
    """
Revenue rose by {percent} percent.
Sales of {products} to {customers}: {number} million.
The board recommends an unchanged dividend.
Investment in {products2}: {small} million.
Risks: {trouble}.
The accounts were audited and approved.
"""
)
