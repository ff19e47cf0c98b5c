// Package couple answers: when do two coupled chains meet, and what may one conclude from it? It sets the bound on the distance from the target
// that the meeting of chains gives (Biswas, Jacob and Vanetti 2019) beside the distance itself, compares couplings with the best that there
// is, and scores the unbiased estimator (Jacob, O'Leary and Atchade 2020) against one long chain. It also says whether somebody else's coupling is
// right (Examination), and whether what his chains have given has its exact law (Conform). It never runs chains: all that it draws are single moves of
// couplings that cannot be enumerated.
//
//	breadboard couple --toy random:2:7:3x3 --kernel heatbath
//	breadboard couple best --toy barrier:3x3
//	breadboard couple check common --kernel heatbath
//	breadboard couple unbiased --toy random:2:7:3x3 --kernel heatbath --lag 1,12
package couple
