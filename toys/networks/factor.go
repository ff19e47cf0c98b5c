package networks

// Variable is a variable with finitely many values.
type Variable struct {
	Name   string
	Labels []string // what its values are called, in the order of the file; there is at least one, and none stands twice
}

// Factor is a table over some variables, whose product with the others is the function f that a network stands for.
type Factor struct {
	Scope  []int     // the numbers of its variables, each once, in the order of the table; without any it is a constant
	Values []float64 // 0 or more and finite: an entry for each configuration of the scope, the last variable of the scope fastest
}

// Network is a product of tables over variables.
//
// Where Bayes is true it is a Bayesian network: it has as many factors as variables, Factors[v] is the probability of variable v given its
// parents, v is last in the scope of that factor with its parents before it, for each configuration of the parents the entries sum to one, and
// the graph of parents and children has no cycle. Otherwise it is a Markov network, in which there are any factors, in the order of the file.
type Network struct {
	Variables []Variable
	Factors   []Factor
	Bayes     bool
	Notes     []string // what was noticed where it was read and its reader should know
}

// Cards returns the number of values of each variable.
func (n *Network) Cards() []int {
	cards := make([]int, len(n.Variables))
	for v := range cards {
		cards[v] = len(n.Variables[v].Labels)
	}
	return cards
}
