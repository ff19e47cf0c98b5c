package tables

import "strings"

// Role is what a column of a table is for.
type Role string

// The roles. A column without a role has the values of a variable, or is an error.
const (
	Variable   Role = "variable"    // its values are those of a variable
	State      Role = "state"       // the state of a draw: its number, label or coordinates
	Count      Role = "count"       // how often the state of the row was drawn
	Chain      Role = "chain"       // the chain of a row
	Iteration  Role = "iteration"   // counts the draws of a chain
	Draw       Role = "draw"        // counts the draws of a chain, or of all chains
	Warmup     Role = "warmup"      // whether a row belongs to the warm-up
	Weight     Role = "weight"      // the weight of a draw
	LogWeight  Role = "log-weight"  // the log weight, in nats
	LogDensity Role = "log-density" // log f of the row, in nats
	Density    Role = "density"     // f of the row
	Name       Role = "name"        // of the variable that the row has a value of
	Value      Role = "value"       // of the variable that the row names
	Omitted    Role = "none"        // nothing uses it
)

// Call is the names that columns of a role have in tables.
type Call struct {
	Role  Role
	Names []string // compared without case, blanks and the characters _-.#
}

// Calls lists the roles and the names of columns that are not variables. A reader of draws takes no
// densities, and a reader of targets nothing else.
func Calls() []Call {
	return []Call{
		{State, []string{"state"}},
		{Count, []string{"count"}},
		{Chain, []string{"chain", "chains", "chain_id", "run", "walker"}},
		{Iteration, []string{"iteration", "iterations", "iter", "step"}},
		{Draw, []string{"draw"}},
		{Warmup, []string{"warmup"}},
		{Weight, []string{"weight", "weights"}},
		{LogWeight, []string{"log_weight", "log_weights", "log_w", "lw"}},
		{LogDensity, []string{"lp", "logp", "log_prob", "logdens", "log_density", "log_f", "g",
			"lnl", "lnprob", "log_posterior", "loglik"}},
		{Density, []string{"prob", "p", "density", "probability", "f"}},
		{Name, []string{"parameter", "parameters", "variable"}},
		{Value, []string{"value"}},
		{Omitted, []string{"", "unnamed: 0"}},
	}
}

// Known maps names, normalised by PlainName, to roles.
type Known map[string]Role

// KnownRoles returns the roles of all names that Calls lists.
func KnownRoles() Known {
	known := Known{}
	for _, c := range Calls() {
		for _, name := range c.Names {
			known[PlainName(name)] = c.Role
		}
	}
	return known
}

// Of returns the role of a column with a name: Variable for a name that is not in the list.
func (k Known) Of(name string) Role {
	if role, is := k[PlainName(name)]; is {
		return role
	}
	return Variable
}

// RoleOf returns the role of a column with a name. For many columns KnownRoles is faster.
func RoleOf(name string) Role { return KnownRoles().Of(name) }

// PlainName returns a name in small letters without what may stand around and between its words.
func PlainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. #", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
