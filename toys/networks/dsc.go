package networks

// ParseDSC reads a Bayesian network from a text in DSC, the format of Microsoft's MSBN, which
// bnlearn and GeNIe write too. It differs from BIF in a few words and marks:
//
//	file        = "belief" "network" [ word ] { node | probability | other } .
//	node        = "node" word "{" { type | word ":" any ";" } "}" .
//	type        = "type" ":" "discrete" "[" integer "]" "=" "{" word { "," word } "}" ";" .
//	probability = "probability" "(" word [ "|" word { "," word } ] ")" "{" { entry | default | numbers ";" } "}" .
//	entry       = "(" integer { "," integer } ")" ":" numbers ";" .
//
// The integers of an entry are the numbers of the values of the parents, from 0. A function in the
// place of the entries is an error.
//
// Source: what MSBN 1.4, bnlearn and GeNIe write.
func ParseDSC(data []byte) (*Network, error) {
	return parseBIF(data, ChildSlowest, relative{
		tokens: dialect{marks: "{}()[];", label: "{}();", ignored: " \t\n\r\v\f,|:=", comment: "//"},
		name:   "DSC", keyword: "node", block: "node NAME { ... }",
		example: `node NAME { type : discrete[2] = { "yes", "no" }; }`, kind: `type : discrete[2] = { "yes", "no" };`, numbered: true,
	})
}
