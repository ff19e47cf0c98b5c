package energies

// Format says how a file of an energy is read. The energy of a file is what its programs call so: log f is a factor of the user's
// times Energy.LogF with Sign in front.
type Format struct {
	Name    string // how such a file is selected
	What    string // what the file is, for errors: "a rudy file"
	Doc     string // what log f is
	Source  string
	Example string  // of a file's name
	Factor  string  // what the factor of the user's is called
	Sign    float64 // -1 where programs look for the lowest energy, so that the likeliest state has it

	spins   bool
	first   int     // the number of the first site
	comment string  // with what a comment begins, alone or with a blank behind it or, for #, with anything
	header  header  // what stands in front of the entries
	fields  bool    // whether an entry i i is the weight of a site
	ordered bool    // whether the entries of sites stand before those of pairs, each of the sites has one, and i < j in pairs
	pair    float64 // how often an entry of a pair counts in the energy
}

// header is what the first line that is no comment says.
type header int

const (
	noHeader header = iota // the entries begin at once, and their sites are all sites
	counts                 // n m: the numbers of sites and of entries
	problem                // p qubo TOPOLOGY maxNodes nNodes nCouplers
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{
		{
			Name: "rudy", What: "a rudy file", Doc: "Ising or maximum cut from a file of rudy or the G-set, g = J times the sum of w s s'; the ground state at J < 0 is the maximum cut",
			Source: "Rinaldi 1998, rudy; Helmberg and Rendl 2000, the G-set", Example: "torus.rud", Factor: "J", Sign: 1,
			spins: true, first: 1, comment: "#", header: counts, pair: 1,
		},
		{
			Name: "qubo", What: "a .qubo file", Doc: "QUBO from a .qubo file of qbsolv, g = -BETA times the sum of w x + the sum of w x x'",
			Source: "Booth, Reinhardt and Roy 2017, qbsolv", Example: "problem.qubo", Factor: "BETA", Sign: -1,
			comment: "c", header: problem, fields: true, ordered: true, pair: 1,
		},
		{
			Name: "bq", What: "a .bq or .sparse file", Doc: "QUBO from a .bq or .sparse file of Biq Mac, g = -BETA x'Qx, where an entry off the diagonal counts twice",
			Source: "Wiegele 2007, Biq Mac Library", Example: "problem.bq", Factor: "BETA", Sign: -1,
			first: 1, comment: "#", header: counts, fields: true, pair: 2,
		},
		{
			Name: "ising-file", What: "a list of edges with weights", Doc: "Ising from lines i j J of pairs and i i h of fields, g = BETA (1 where left out) times the sum of J s s' + the sum of h s",
			Example: "spins.txt", Factor: "BETA", Sign: 1,
			spins: true, comment: "#", header: noHeader, fields: true, pair: 1,
		},
	}
}
