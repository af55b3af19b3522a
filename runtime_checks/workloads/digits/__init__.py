"""A multilayer perceptron on scikit-learn's digits."""
