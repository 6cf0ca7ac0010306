"""Matching of references into works: record linkage in four steps.

1. `normal_form` removes differences of printing from a reference, with `venues` for the
   place of publication and `identifiers` for DOI and arXiv id; `feature_vectors` packs the
   normal form into arrays of fixed width; `batches` does both for many references.
2. `blocking` finds the pairs that share a blocking key.
3. `similarity` scores pairs by the match weights of `weights` (Fellegi & Sunter 1969);
   `recurring_titles` weigh less, and identifiers decide.
4. `matcher` joins positive pairs into connected `components` and divides these by
   `correlation_clustering` under `constraints`: entries of one list (`source_lists`) are
   different works. `works` adds the fields: the `canonical_record` of each work, and an
   explanation of why two references match.
"""
