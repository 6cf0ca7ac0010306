"""Extraction of fields from the text of papers.

The life of a document, in the order of the modules:

1. `sections` splits its lines into header, abstract, body and references, with
   `reference_list` (and `reference_list_features`) for the entries and `contexts` for the
   text around citations.
2. `tokens`, `reference_tokens`, `features`, `header_features` and `reference_features` (with
   the word lists of `lexicons`) turn an item, that is a header or a reference, into what a
   model takes.
3. A `labeller` predicts a label for each word: `crf_labeller` by conditional random
   fields (`crf`), `hmm_labeller` by hidden Markov models (`header_hmm`, `reference_hmm`).
   `model_files` loads either from a file.
4. `extractor` joins equal labels into `fields`, whose authors `names` parses;
   `title_style` corrects the title by the layout.

`tagged` reads and writes labelled items. Training is in `papers.training`.
"""
