// Package couple answers: when do two coupled chains meet, and what may one conclude from it? It sets the bound on the distance from the target
// that the meeting of chains gives (Biswas, Jacob and Vanetti 2019) beside the distance itself, compares couplings with the best that there
// is, and scores the unbiased estimator (Jacob, O'Leary and Atchade 2020) against one long chain. Every number is exact. It never simulates.
//
//	breadboard couple --toy random:2:7:3x3 --kernel heatbath
//	breadboard couple best --toy barrier:3x3
//	breadboard couple unbiased --toy random:2:7:3x3 --kernel heatbath --lag 1,12
package couple
