import { describeLostAnswers } from '../support/database/lost-answers.js';

describeLostAnswers(['reset before', 'reset after']);
