package compare

import "breadboard/experiments/sandwich"

// CrossedPrinted is an entry of the paper's table. Its data are those of the authors, of the same models and size, so that it agrees with ours
// in kind alone.
//
// Source: Grosse, Ghahramani and Adams 2015, Table 1.
type CrossedPrinted struct {
	Made, Fitted string  // the models, with the paper's numbers of components
	LogML        float64 // the estimate of the log marginal likelihood
	Behind       float64 // by how much it is below that of the model that made the data
}

// Table1 returns the entries of the paper's table.
func Table1() []CrossedPrinted {
	return []CrossedPrinted{
		{"clustering", "clustering", -2377.5, 0}, {"clustering", "lowrank", -2390.6, 13.1}, {"clustering", "binary", -2383.2, 5.7},
		{"lowrank", "clustering", -2214.2, 69.1}, {"lowrank", "lowrank", -2145.1, 0}, {"lowrank", "binary", -2171.4, 26.3},
		{"binary", "clustering", -2268.6, 49.2}, {"binary", "lowrank", -2241.7, 22.3}, {"binary", "binary", -2219.4, 0},
	}
}

// Printed returns the entry of the paper's table for the models of a row, and false where there is none: the paper has data of 50 rows and
// 25 columns, and models with its numbers of components.
func (r *CrossedRow) Printed() (CrossedPrinted, bool) {
	for _, p := range Table1() {
		if p.Made == r.Made && p.Fitted == r.Fitted && r.Rows == sandwich.DefaultRows && r.Columns == sandwich.DefaultColumns {
			return p, true
		}
	}
	return CrossedPrinted{}, false
}
