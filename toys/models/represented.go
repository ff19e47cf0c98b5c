package models

// Represented is a Model that can be written in several ways, which differ in the latent variables that are summed out. All of them
// give the data the same marginal likelihood.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1.
type Represented interface {
	Model
	// Representations returns the ways to write the model. One of them is the model itself, and the others are Collapsed.
	Representations() []Representation
}

// Representation is one way to write a model.
type Representation struct {
	Name  string
	Model Model
}
