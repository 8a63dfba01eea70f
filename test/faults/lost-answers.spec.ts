import { describeLostAnswers } from '../support/lost-answers.js';

describeLostAnswers(['reset before', 'reset after']);
