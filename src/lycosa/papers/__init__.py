"""Papers: fields, references and citations of documents (McCallum et al. 1999).

`extraction` finds the fields of a header and of its references, `matching` groups
references into works, `synthetic` generates labelled text, and `training` trains
labellers on it. `paper` reads documents, `library` links many of them, `citations`
is the citation graph, and `exports` writes BibTeX, JSON and tables.
"""
