"""Evidence for what a header does not have: year, venue, identifiers and licence.

`notices` reads what is printed around the text of the first pages: mastheads, running
heads, copyright notices, dates of receipt. `identifiers` finds DOI, arXiv id, ORCID, ISSN
and licence in a text. `paper_evidence` collects both, with what the file itself says, and
`evidence` combines all to one value of each field with a confidence.
"""
