"""Learners: naive Bayes, SVM, logistic regression, HMM, trees, neighbours. No web in it."""
