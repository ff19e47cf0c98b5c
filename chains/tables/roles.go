package tables

import "strings"

// Role is what a column of a table is for.
type Role string

// The roles. A column without a role has the values of a variable.
const (
	Variable   Role = "variable"    // its values are those of a variable
	Chain      Role = "chain"       // the chain of a row
	Iteration  Role = "iteration"   // counts the draws of a chain
	Draw       Role = "draw"        // counts the rows of all chains
	Warmup     Role = "warmup"      // whether a row belongs to the warm-up
	Weight     Role = "weight"      // the weight of a draw
	LogWeight  Role = "log-weight"  // the log weight, in nats
	LogDensity Role = "log-density" // log f of the row, in nats
	Density    Role = "density"     // f of the row
	Name       Role = "name"        // of the variable that the row has a value of
	Index      Role = "index"       // of an element of that variable
	Value      Role = "value"       // of the variable that the row names
	Omitted    Role = "none"        // nothing uses it
)

// Roles lists the roles that a caller may give a column.
func Roles() []Role {
	return []Role{Variable, Chain, Iteration, Draw, Warmup, Weight, LogWeight, LogDensity, Density, Name, Index, Value, Omitted}
}

// Call is a name that producers of tables give to columns of a role.
type Call struct {
	Role  Role
	Names []string // compared without case, blanks and the characters _-.#
	By    string   // who writes them
}

// Calls lists the names that producers give to columns that are not variables. A reader uses Name
// and Value only together, and densities only in targets.
func Calls() []Call {
	return []Call{
		{Chain, []string{"chain", "chain_id"}, "posterior, tidybayes, coda, ggmcmc, ArviZ, CmdStanPy"},
		{Iteration, []string{"iteration", "iterations", "iter"}, "posterior, tidybayes, bayesplot, ggmcmc, RevBayes, CmdStanPy"},
		{Iteration, []string{"gen", "generation", "generations"}, "MrBayes, BPP, BAMM, MCMCTree"},
		{Iteration, []string{"sample", "state"}, "BEAST 2, BEAST 1, Tracer"},
		{Iteration, []string{"#treegen", "#cycle"}, "PhyloBayes, MIGRATE"},
		{Iteration, []string{"step", "steps"}, "emcee"},
		{Draw, []string{"draw", "", "unnamed: 0"}, "posterior, tidybayes, xarray; row names of pandas and R"},
		{Warmup, []string{"warmup", "burnin", "phase"}, "PyStan, posterior, JAGS"},
		{Weight, []string{"weight", "weights", "w", "is_weight", "is_weights", "importance_weight", "importance_weights"}, "GetDist, Cobaya, importance sampling"},
		{LogWeight, []string{"log_weight", "log_weights", "log_w", "lw", "logwt", "log_is_weight", "is_log_weight", "log_importance_weight", "log_importance_weights"}, "dynesty, posterior"},
		{LogDensity, []string{"lp", "logp", "log_prob", "logdens", "log_density", "log_f", "g", "lnl", "lnprob", "log_posterior", "loglik"}, "Stan, PyMC, emcee, MrBayes"},
		{Density, []string{"prob", "p", "density", "probability", "count", "f"}, "discretised posteriors"},
		{Name, []string{"parameter", "variable"}, "bayesplot, ggmcmc, tidybayes"},
		{Value, []string{"value"}, "bayesplot, ggmcmc, tidybayes"},
	}
}

// Known maps names, normalised by plain, to roles.
type Known map[string]Role

// KnownRoles returns the roles of all names that Calls lists.
func KnownRoles() Known {
	known := Known{}
	for _, c := range Calls() {
		for _, name := range c.Names {
			known[plain(name)] = c.Role
		}
	}
	return known
}

// Of returns the role of a column with a name: Variable for a name that no producer gives.
func (k Known) Of(name string) Role {
	if role, is := k[plain(name)]; is {
		return role
	}
	return Variable
}

// Counts reports whether a column with this name numbers rows or chains.
func (k Known) Counts(name string) bool {
	role := k.Of(name)
	return role == Chain || role == Iteration || role == Draw
}

// RoleOf returns the role of a column with a name. For many columns KnownRoles is faster.
func RoleOf(name string) Role { return KnownRoles().Of(name) }

// plain returns a name in small letters without what may stand around and between its words.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. #", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
